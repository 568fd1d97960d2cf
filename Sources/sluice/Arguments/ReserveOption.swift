import ArgumentParser
import Ingestion

/// The option of commands that write content.
struct ReserveOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The space to leave free on the container's disk, such as 500M.",
            discussion: "A number of bytes, or a number with K, M, G or T (powers of 1024). Default: 64M.",
            valueName: "size"),
        transform: ByteCount.parse)
    var reserve: Int64?

    /// The option as it was given, for another process.
    var arguments: [String] { reserve.map { ["--reserve", String($0)] } ?? [] }

    /// Sets the reserve if the option was given.
    func set(_ options: inout IngestOptions) {
        guard let reserve else { return }
        options.reserve.bytes = reserve
        // `--reserve 0` means no reserve at all, so it also drops the one of free inodes.
        if reserve == 0 { options.reserve.files = 0 }
    }
}

/// A number of bytes as a user writes it: `4096`, `64M`, `1.5G`, with powers of 1024.
enum ByteCount {
    private static let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]

    static func parse(_ text: String) throws -> Int64 {
        let upper = text.uppercased()
        let unit = upper.last.flatMap { units[$0] }
        let digits = unit == nil ? upper : String(upper.dropLast())
        // `Double` also reads `inf`, `nan`, exponents and hexadecimal numbers, so each character is checked too.
        guard let number = Double(digits), number >= 0, digits.allSatisfy({ $0.isNumber || $0 == "." }),
            let bytes = Int64(exactly: (number * (unit ?? 1)).rounded())
        else { throw ValidationError("'\(text)' is not a size; write 4096, 64M or 1.5G.") }
        return bytes
    }
}
