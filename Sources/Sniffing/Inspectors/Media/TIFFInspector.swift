internal import Formats
internal import ShareModel

/// Recognizes cameras' raw images that are TIFF files. DNG has a version (DNG 1.7, tag 50706). The others have a maker
/// (TIFF 6.0, tag 271) and the layout of raw images (TIFF/EP, ISO 12234-2). That layout is a thumbnail first and the
/// image in `SubIFDs`, or a color filter array, or a compression of the maker. Other TIFF files of cameras stay TIFF.
struct TIFFInspector: Inspector {
    let starts: Set<MediaType> = ["image/tiff"]
    let concludes = Set(makers.map(\.type)).union(["image/x-adobe-dng", "image/x-nikon-nrw"])

    private static let makers: [(name: StaticString, type: MediaType)] = [
        ("NIKON", "image/x-nikon-nef"), ("SONY", "image/x-sony-arw"), ("PENTAX", "image/x-pentax-pef"),
        ("RICOH", "image/x-pentax-pef"), ("SAMSUNG", "image/x-samsung-srw"), ("Hasselblad", "image/x-hasselblad-3fr"),
        ("Kodak", "image/x-kodak-dcr"), ("KODAK", "image/x-kodak-dcr"), ("EASTMAN KODAK", "image/x-kodak-kdc"),
        ("SEIKO EPSON", "image/x-epson-erf"), ("Phase One", "image/x-phaseone-iiq"), ("Mamiya", "image/x-mamiya-mef"),
        ("Canon", "image/x-canon-cr2"),
    ]
    private static let entryLimit = 256
    private static let subdirectoryLimit = 4
    private static let filterArray = 32803
    /// Private compressions of Nikon, Sony, Samsung, Pentax and Kodak.
    private static let rawCompressions: Set<Int> = [32767, 32769, 32770, 34713, 65000, 65535]

    private struct Directory {
        var isThumbnail = false
        var isRaw = false
        var hasVersion = false
        var make: Int?
        var model: Int?
        var subdirectories: (count: Int, place: Int)?
    }

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        guard start.big(2, 2) == 0x002A || start.little(2, 2) == 0x002A else { return nil }
        let isBig = start.has("MM", at: 0)
        guard let offset = start.number(4, 4, isBig: isBig),
            let directory = try Self.directory(sample, at: offset, isBig: isBig)
        else { return nil }
        if directory.hasVersion {
            return Finding("image/x-adobe-dng", Evidence("TIFF", "tag DNGVersion", at: Int64(offset)))
        }
        guard let place = directory.make else { return nil }
        let make = try sample.content.read(at: Int64(place), count: 16)
        guard let maker = Self.makers.first(where: { make.has($0.name, at: 0) }),
            try Self.isRaw(directory, sample, isBig: isBig)
        else { return nil }
        let isCompact = try maker.type == "image/x-nikon-nef" && Self.isCompact(directory, sample)
        return Finding(
            isCompact ? "image/x-nikon-nrw" : maker.type,
            Evidence("TIFF", "raw image of \(maker.name)", at: Int64(place)))
    }

    /// Nikon's compact cameras write the same structure, with another type.
    private static func isCompact(_ directory: Directory, _ sample: Sample) throws -> Bool {
        guard let model = directory.model else { return false }
        return try sample.content.read(at: Int64(model), count: 9).has("COOLPIX ", at: 0)
    }

    private static func isRaw(_ directory: Directory, _ sample: Sample, isBig: Bool) throws -> Bool {
        if directory.isRaw { return true }
        guard let list = directory.subdirectories, list.count > 0 else { return false }
        if directory.isThumbnail { return true }
        let offsets =
            list.count == 1
            // TIFF 6.0, section 2: a single offset is in the entry itself, and several are elsewhere.
            ? [list.place] : try self.offsets(sample, list.place, min(list.count, subdirectoryLimit), isBig: isBig)
        return try offsets.contains { try self.directory(sample, at: $0, isBig: isBig)?.isRaw ?? false }
    }

    private static func offsets(_ sample: Sample, _ place: Int, _ count: Int, isBig: Bool) throws -> [Int] {
        let bytes = try sample.content.read(at: Int64(place), count: 4 * count)
        return (0..<count).compactMap { bytes.number(4 * $0, 4, isBig: isBig) }
    }

    private static func directory(_ sample: Sample, at offset: Int, isBig: Bool) throws -> Directory? {
        guard let count = try sample.content.read(at: Int64(offset), count: 2).number(0, 2, isBig: isBig) else {
            return nil
        }
        let entries = try sample.content.read(at: Int64(offset) + 2, count: 12 * min(count, entryLimit))
        var directory = Directory()
        for place in stride(from: 0, to: entries.count - 11, by: 12) {
            // TIFF 6.0, section 2: a value of two bytes (type 3) is in the first two bytes of its field, in either byte
            // order.
            guard let tag = entries.number(place, 2, isBig: isBig),
                let kind = entries.number(place + 2, 2, isBig: isBig),
                let value = entries.number(place + 8, kind == 3 ? 2 : 4, isBig: isBig)
            else { continue }
            switch tag {
            case 254: directory.isThumbnail = value == 1
            case 259: directory.isRaw = directory.isRaw || rawCompressions.contains(value)
            case 262: directory.isRaw = directory.isRaw || value == filterArray
            case 271: directory.make = value
            case 272: directory.model = value
            case 330: directory.subdirectories = (entries.number(place + 4, 4, isBig: isBig) ?? 0, value)
            case 50706: directory.hasVersion = true
            default: break
            }
        }
        return directory
    }
}
