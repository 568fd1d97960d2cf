internal import Formats
internal import ShareModel

/// Finds content that was cut off: a download that broke off, or a copy that did not end. The type stays what the
/// beginning says, and a warning says that the end is missing.
///
/// The check looks for the end that the format prescribes. Bytes behind that end are no fault, because cameras and
/// programs add data there. If the bytes could be such an addition, there is no warning.
enum Truncation {
    private static let zips = ZipInspector().concludes.union(["application/zip"])
    private static let media = ISOMediaInspector().concludes

    /// The warning; `nil` if the content is whole, or is of a type that is not checked.
    ///
    /// - Throws: an error if the content cannot be read.
    static func warning(_ type: MediaType, _ sample: Sample) throws -> String? {
        let missing: String? =
            switch type {
            case .pdf: try PDFHeader.hasLastEnd(sample) ? nil : "it has no end of a PDF"
            case "image/jpeg": try JPEGEnd.missing(sample)
            case "image/png", "image/apng": try hasLastChunk(sample) ? nil : "it has no chunk IEND"
            case _ where zips.contains(type): try hasDirectory(sample) ? nil : "it has no directory at its end"
            case _ where media.contains(type): try MediaBoxes.missing(sample)
            default: nil
            }
        return missing.map { "cut off: \($0); get it again" }
    }

    /// The last chunk of a PNG (ISO 15948, 11.2.5): no data, so its checksum is always the same.
    private static let lastChunk: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static func hasLastChunk(_ sample: Sample) throws -> Bool {
        ByteSearch.last(lastChunk, in: try sample.content.tail().bytes[...]) != nil
    }

    /// Whether a zip archive has its central directory (APPNOTE 6.3.10, 4.3.6). An archive in volumes begins with
    /// another signature, and has the directory in its last volume.
    private static func hasDirectory(_ sample: Sample) throws -> Bool {
        guard sample.start.has("PK\u{3}\u{4}", at: 0) else { return true }
        return try sample.zipDirectory()?.isCentral ?? false
    }
}

/// The end of a JPEG image (ISO 10918-1, B.1.1.2 and B.2.1).
private enum JPEGEnd {
    /// The number of segments before the compressed data that are looked at.
    private static let segmentLimit = 48
    /// The number of bytes at the end that are searched.
    private static let window = 16 << 10
    /// The markers that may occur among the scans of an image: tables, restart interval, lines, and the next scan.
    private static let betweenScans: Set<UInt8> = [0xC4, 0xDA, 0xDB, 0xDC, 0xDD]

    /// Says what is missing; `nil` if nothing is, or if the structure is not understood.
    static func missing(_ sample: Sample) throws -> String? {
        let size = sample.content.size
        var place: Int64 = 2
        for _ in 0..<segmentLimit {
            let header = try sample.content.read(at: place, count: 4)
            // The end of image; without a scan there is no image, but nothing is missing.
            if header.has([0xFF, 0xD9], at: 0) { return nil }
            if place + 4 > size { return "it ends in its header" }
            guard header.count == 4, header[0] == 0xFF else { return nil }
            // Fill bytes may precede a marker.
            guard header[1] != 0xFF else {
                place += 1
                continue
            }
            guard let length = header.big(2, 2) else { return nil }
            place += 2 + Int64(length)
            // A thumbnail lies inside of a segment, so an end of image before this place is not that of the image.
            if header[1] == 0xDA { return try place > size || isCut(sample, from: place) ? words : nil }
        }
        return nil
    }

    private static let words = "it has no end of image"

    /// Whether the content ends inside of the compressed data that begins at `scan`. Within that data, 0xFF precedes a
    /// zero, a restart marker or a marker between scans.
    private static func isCut(_ sample: Sample, from scan: Int64) throws -> Bool {
        let first = max(scan, sample.content.size - Int64(window))
        let bytes = try sample.content.read(at: first, count: window)
        let isAll = first == scan
        var isData = isAll
        for place in bytes.indices.dropLast() where bytes[place] == 0xFF {
            switch bytes[place + 1] {
            case 0xD9: return false
            case 0, 0xD0...0xD7: isData = true
            case 0xFF: break
            // In the last bytes alone, another marker shows that something follows the image.
            case let marker: if !isAll, !betweenScans.contains(marker) { return false }
            }
        }
        return isData
    }
}

/// The boxes of an ISO base media file (ISO 14496-12, 4.2), of which each states its size.
private enum MediaBoxes {
    /// The number of boxes that are looked at. Others follow in a movie of many fragments.
    private static let boxLimit = 32
    /// The length of a box without content, with a size of eight bytes.
    private static let emptyLength: Int64 = 16
    /// The boxes that may be the last one of a file. Bytes with another name may be an addition behind the end.
    private static let names: [StaticString] = [
        "ftyp", "styp", "moov", "mdat", "moof", "mfra", "meta", "idat", "free", "skip", "wide", "uuid", "udta", "sidx",
        "emsg", "pnot", "PICT", "jP  ", "jp2h", "jp2c", "jxlc", "jxlp",
    ]

    /// Says what is missing; `nil` if nothing is, or if the structure is not understood.
    static func missing(_ sample: Sample) throws -> String? {
        let size = sample.content.size
        var place: Int64 = 0
        var (hasData, hasIndex) = (false, false)
        for _ in 0..<boxLimit {
            // Older movies end with four zeros.
            guard place + 8 <= size else { return hasData && !hasIndex ? withoutIndex : nil }
            let header = try sample.content.read(at: place, count: 16)
            guard header.count >= 8, let name = names.first(where: { header.has($0, at: 4) }),
                let length = try length(header, place, size)
            else { return nil }
            hasData = hasData || (name.description == "mdat" && length > emptyLength)
            hasIndex = hasIndex || ["moov", "moof", "meta"].contains(name.description)
            guard length <= size - place else { return "its box \(name) is longer than the rest of the file" }
            place += length
        }
        return nil
    }

    private static let withoutIndex = "it has no index of its content (box moov)"

    /// The length of a box: 0 means up to the end, and 1 that eight bytes with the length follow the name.
    private static func length(_ header: [UInt8], _ place: Int64, _ size: Int64) throws -> Int64? {
        switch header.big(0, 4) {
        case 0: size - place
        case 1: header.big(8, 8).flatMap { $0 >= 16 ? Int64($0) : nil }
        case let length?: length >= 8 ? Int64(length) : nil
        case nil: nil
        }
    }
}
