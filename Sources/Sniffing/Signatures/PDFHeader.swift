internal import Formats

/// Checks the beginning and the end of a PDF file: ISO 32000-1, 7.5.2 and 7.5.5; PDF 1.7, implementation notes 13 and
/// 18.
enum PDFHeader {
    /// The part at the end that must have the end's mark, in bytes.
    static let window = 1024
    private static let lineLimit = 32
    private static let object = Array(" 0 obj".utf8)
    private static let ends = [Array("startxref".utf8), Array("%%EOF".utf8)]

    /// Whether there are a header and an end.
    static func isWhole(_ sample: Sample) throws -> Bool {
        try isHeader(sample.start, at: 0) && hasEnd(sample)
    }

    /// Whether a version follows `%PDF-`.
    static func isHeader(_ start: [UInt8], at place: Int) -> Bool {
        start.big(place + 5, 1).isIn(0x30...0x39) && start.big(place + 6, 1) == 0x2E
            && start.big(place + 7, 1).isIn(0x30...0x39)
    }

    /// Whether the header's line ends after the version, and the next line is a comment or an object. In a sentence
    /// that mentions a header, this is not so.
    static func isBeginning(_ start: [UInt8]) -> Bool {
        guard isHeader(start, at: 0) else { return false }
        let rest = start.dropFirst(8).prefix(lineLimit).drop { $0 == 0x20 || (0x30...0x39).contains($0) }
        guard let end = rest.first else { return true }
        guard end == 0x0A || end == 0x0D else { return end == UInt8(ascii: "%") }
        guard let next = rest.first(where: { $0 != 0x0A && $0 != 0x0D }) else { return true }
        return next == UInt8(ascii: "%") || (0x30...0x39).contains(next)
    }

    /// Whether an object starts within the first bytes. A damaged file still has some.
    static func hasObject(_ start: [UInt8]) -> Bool { ByteSearch.first(object, in: start[...]) != nil }

    /// Whether the mark of a PDF's end is behind its last object. A PDF for the web, and one that was changed, have a
    /// mark in their middle too.
    static func hasLastEnd(_ sample: Sample) throws -> Bool {
        // Nearly every mark is in the last bytes, which are read already.
        let last = try last(sample)
        if let end = end(in: last) { return ByteSearch.first(object, in: last[end...]) == nil }
        let tail = try sample.content.tail().bytes
        guard let end = end(in: tail) else { return false }
        return ByteSearch.first(object, in: tail[end...]) == nil
    }

    /// Whether the last bytes have the mark of a PDF's end.
    static func hasEnd(_ sample: Sample) throws -> Bool { end(in: try last(sample)) != nil }

    /// The offset of the last mark of an end.
    private static func end(in bytes: [UInt8]) -> Int? { ends.compactMap { ByteSearch.last($0, in: bytes[...]) }.max() }

    private static func last(_ sample: Sample) throws -> [UInt8] {
        try sample.content.read(at: max(0, sample.content.size - Int64(window)), count: window)
    }
}
