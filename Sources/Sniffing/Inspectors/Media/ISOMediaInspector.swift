internal import Formats
internal import ShareModel

/// Recognizes ISO base media files by their brands (ISO 14496-12, 4.3, and the list of the MP4 registration authority),
/// and the JPEG 2000 family (ISO 15444-1, I.5). It recognizes older QuickTime movies, which have no brands, by their
/// boxes (QuickTime File Format, "Movie Files"). If the brand is a common one, the tracks decide between sound and
/// movie (RFC 4337, section 2).
struct ISOMediaInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = Set(byBrand.values).union([
        "audio/mp4", "video/mp4", "video/quicktime", "image/heif", "image/heic", "image/avif", "video/iso.segment",
        "video/3gpp", "video/3gpp2", "image/jp2",
    ])

    /// Types by major brand. Compatible brands use the same table, but only if no common brand is present.
    private static let byBrand: [String: MediaType] = [
        "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
        "hevc": "image/heic-sequence", "hevx": "image/heic-sequence", "hevm": "image/heic-sequence",
        "hevs": "image/heic-sequence", "avif": "image/avif", "avis": "image/avif", "jpeg": "image/heif",
        "jpgs": "image/heif", "avci": "image/heif", "avcs": "image/heif", "crx ": "image/x-canon-cr3",
        "qt  ": "video/quicktime", "mqt ": "video/quicktime", "M4A ": "audio/mp4", "M4B ": "audio/mp4",
        "M4P ": "audio/mp4", "F4A ": "audio/mp4", "F4B ": "audio/mp4", "aax ": "audio/vnd.audible.aax",
        "aaxc": "audio/vnd.audible.aax", "M4V ": "video/x-m4v", "M4VH": "video/x-m4v", "M4VP": "video/x-m4v",
        "F4V ": "video/mp4", "F4P ": "video/mp4", "f4v ": "video/mp4", "mmp4": "video/mp4", "MSNV": "video/mp4",
        "mj2s": "video/mj2", "mjp2": "video/mj2", "jp2 ": "image/jp2", "jpx ": "image/jpx", "jpm ": "image/jpm",
        "jph ": "image/jph", "KDDI": "video/3gpp2", "msdh": "video/iso.segment", "msix": "video/iso.segment",
        "jxl ": "image/jxl", "j2ki": "image/hej2k", "j2is": "image/j2is",
    ]
    private static let brandLimit = 64

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        if start.has("ftyp", at: 4), let size = start.big(0, 4), size >= 12 {
            return try Self.byBrands(sample, at: 0, size: size)
        }
        if start.has("jP  ", at: 4), start.big(0, 4) == 12 { return Self.jpeg2000(start) }
        if start.has("styp", at: 4), start.big(0, 4).isIn(16...1024) {
            return Finding("video/iso.segment", Evidence("ISO media", "box styp", at: 4))
        }
        return try Self.classic(sample)
    }

    private static func jpeg2000(_ start: [UInt8]) -> Finding? {
        guard start.has("ftyp", at: 16), let brand = brand(start, at: 20) else {
            return Finding("image/jp2", Evidence("ISO media", "signature box of JPEG 2000", at: 4), .likely)
        }
        let type = byBrand[brand] ?? "image/jp2"
        return Finding(type, Evidence("ISO media", "brand \(brand)", at: 20))
    }

    private static func byBrands(_ sample: Sample, at place: Int, size: Int) throws -> Finding? {
        let start = sample.start
        guard let major = brand(start, at: place + 8) else { return nil }
        let end = min(start.count, place + size)
        let others = stride(from: place + 16, to: end - 3, by: 4).prefix(brandLimit).compactMap { brand(start, at: $0) }
        let evidence = Evidence("ISO media", "brand \(major)", at: Int64(place) + 8)
        if let type = byBrand[major] ?? byPrefix(major) { return Finding(type, evidence) }
        // ISO 23008-12, amendment 2 (low-overhead image files): the minor version is the brand of the codec.
        if major == "mif3" {
            let codec = brand(start, at: place + 12) ?? ""
            return Finding(
                byBrand[codec] ?? "image/heif", Evidence("ISO media", "brand mif3, \(codec)", at: Int64(place) + 8))
        }
        if major == "mif1" || major == "msf1" || major == "miaf" {
            let isSequence = major == "msf1"
            if others.contains(where: { $0 == "avif" || $0 == "avis" }) { return Finding("image/avif", evidence) }
            if !isSequence, others.contains("heic") || others.contains("heix") {
                return Finding("image/heic", evidence)
            }
            return Finding("image/heif", evidence)
        }
        guard isCommon(major) || others.contains(where: isCommon) else {
            return others.lazy.compactMap { byBrand[$0] ?? byPrefix($0) }.first.map { Finding($0, evidence, .likely) }
        }
        let isSound = try MovieTracks.areAllSound(sample, after: place + size)
        return Finding(isSound ? "audio/mp4" : "video/mp4", evidence)
    }

    /// Brands of 3GPP have a letter and a release after `3g`.
    private static func byPrefix(_ brand: String) -> MediaType? {
        if brand.hasPrefix("3gp") || brand.hasPrefix("3gs") || brand.hasPrefix("3ge") || brand.hasPrefix("3gr") {
            return "video/3gpp"
        }
        if brand.hasPrefix("3gg") || brand.hasPrefix("3gh") || brand.hasPrefix("3gm") { return "video/3gpp" }
        return brand.hasPrefix("3g2") ? "video/3gpp2" : nil
    }

    private static func isCommon(_ brand: String) -> Bool {
        if brand.hasPrefix("iso") || brand.hasPrefix("mp4") || brand.hasPrefix("mp7") { return true }
        return [
            "avc1", "dash", "XAVC", "NDSC", "NDSH", "NDSM", "NDSP", "NDSS", "NDXC", "NDXH", "NDXM", "NDXP", "NDXS",
            "isml", "piff", "cmfc", "cmf2", "caqv", "CAEP", "dby1", "av01", "MSNV", "mmp4", "hvc1", "hlsf", "XAVI",
            "niko", "pana",
        ].contains(brand)
    }

    private static func brand(_ start: [UInt8], at place: Int) -> String? {
        // Some programs end a brand with NUL instead of a space.
        guard start.isPrintable(place, 3), let last = start.big(place + 3, 1), last == 0 || (0x20...0x7E).contains(last)
        else { return nil }
        let name = String(decoding: start[place..<place + 3], as: UTF8.self)
        return name + (last == 0 ? " " : String(UnicodeScalar(UInt8(truncatingIfNeeded: last))))
    }

    // MARK: Without brands

    /// The boxes that a movie file can start with, and those that can follow them.
    private static let firstBoxes: [StaticString] = ["moov", "mdat", "wide", "free", "skip", "pnot"]
    private static let nextBoxes: [StaticString] = [
        "moov", "mdat", "wide", "free", "skip", "pnot", "udta", "uuid", "PICT",
    ]
    private static let movieBoxes: [StaticString] = ["mvhd", "cmov", "rmra", "trak", "udta", "prfl", "clip", "iods"]

    private static func classic(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        guard let size = start.big(0, 4), let name = firstBoxes.first(where: { start.has($0, at: 4) }) else {
            return nil
        }
        let isMovie: Bool
        if name.description == "moov" {
            isMovie = size >= 16 && movieBoxes.contains { start.has($0, at: 12) }
        } else {
            // ISO 14496-12, 4.2: size 1 means that a size of eight bytes follows the name.
            let isLong = size == 1
            guard let length = isLong ? start.big(8, 8) : size, length >= 8 else { return nil }
            let next = try sample.content.read(at: Int64(length), count: 8)
            isMovie = nextBoxes.contains { next.has($0, at: 4) }
        }
        return isMovie ? Finding("video/quicktime", Evidence("ISO media", "box \(name)", at: 4)) : nil
    }
}
