internal import Formats
internal import ShareModel

/// Recognizes native programs:
/// - ELF by its file type (System V ABI, chapter 4; `DF_1_PIE` of the dynamic section).
/// - Windows programs by their PE header (PE and COFF specification, 2 and 3.1). Without one, a program is for DOS, or
///   has the related formats NE and LE.
/// - Mach-O (`mach-o/loader.h`, `fat.h`).
struct ExecutableInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = [
        "application/x-object", "application/x-executable", "application/x-sharedlib", "application/x-pie-executable",
        "application/x-coredump", "application/vnd.microsoft.portable-executable", "application/x-ms-dos-executable",
        "application/x-mach-binary",
    ]

    private static let architectureLimit = 44

    func inspect(_ sample: Sample) throws -> Finding? {
        switch sample.start.big(0, 4) {
        case 0x7F45_4C46: return try Self.elf(sample)
        case 0xFEED_FACE, 0xFEED_FACF: return Self.mach(sample.start, isBig: true)
        case 0xCEFA_EDFE, 0xCFFA_EDFE: return Self.mach(sample.start, isBig: false)
        case 0xCAFE_BABE, 0xCAFE_BABF: return Self.fat(sample.start)
        default: return sample.start.has("MZ", at: 0) ? try Self.windows(sample) : nil
        }
    }

    private static func elf(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        guard start.big(4, 1).isIn(1...2), let order = start.big(5, 1), (1...2).contains(order),
            let kind = start.number(16, 2, isBig: order == 2)
        else { return nil }
        let type: MediaType
        switch kind {
        case 1: type = "application/x-object"
        case 2: type = "application/x-executable"
        case 3: type = try DynamicSection.isProgram(sample) ? "application/x-pie-executable" : "application/x-sharedlib"
        case 4: type = "application/x-coredump"
        default: return nil
        }
        return Finding(type, Evidence("ELF", "file type \(kind)", at: 16))
    }

    private static func windows(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        // The smallest programs put the PE header inside of the DOS header, right after its first four bytes.
        if let place = start.little(60, 4), place >= 4 {
            let header = try sample.content.read(at: Int64(place), count: 24)
            if header.has("PE\u{0}\u{0}", at: 0) {
                return Finding(
                    "application/vnd.microsoft.portable-executable", Evidence("PE", "header", at: Int64(place)))
            }
            if ["NE", "LE", "LX"].contains(where: { header.has($0, at: 0) }), header.hasControl(within: 24) {
                return Finding("application/x-ms-dos-executable", Evidence("DOS", "extended header", at: Int64(place)))
            }
        }
        // The numbers of a DOS header must agree, because two letters are a weak signature.
        guard start.little(2, 2).isIn(0...511), let pages = start.little(4, 2), pages > 0,
            let header = start.little(8, 2), header >= 2, header <= pages * 32, start.little(24, 2) ?? 0 >= 0x1C
        else { return nil }
        return Finding("application/x-ms-dos-executable", Evidence("DOS", "header", at: 0))
    }

    private static func mach(_ start: [UInt8], isBig: Bool) -> Finding? {
        guard start.number(12, 4, isBig: isBig).isIn(1...15), start.number(16, 4, isBig: isBig).isIn(0...4096) else {
            return nil
        }
        return Finding("application/x-mach-binary", Evidence("Mach-O", "header", at: 0))
    }

    /// The number of architectures. A Java class has its version at this place, which is 45 or more.
    private static func fat(_ start: [UInt8]) -> Finding? {
        // In a file with offsets of 64 bits, this is the upper half of the first offset, which is 0.
        guard start.big(4, 4).isIn(1...architectureLimit), let offset = start.big(16, 4), offset >= 20 || offset == 0
        else {
            return nil
        }
        return Finding("application/x-mach-binary", Evidence("Mach-O", "several architectures", at: 0))
    }
}
