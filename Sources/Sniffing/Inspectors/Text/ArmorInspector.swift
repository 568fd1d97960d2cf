internal import Formats
internal import ShareModel

/// Recognizes keys and certificates behind explanatory text (RFC 7468, sections 2 and 5.2). The armor ends the text.
///
/// Text that only shows such armor goes on behind it, or indents it.
struct ArmorInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["application/x-pem-file"]

    /// The longest last line, in bytes, with the line ends after it.
    private static let lineLimit = 96
    private static let dashes = 5

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        guard let label = try Self.label(of: Self.ending(text, sample)) else { return nil }
        let first = Array("\n-----BEGIN ".utf8) + label
        guard let place = ByteSearch.first(first, in: text.bytes[...]) else { return nil }
        return Finding("application/x-pem-file", Evidence("words", "PEM at the end", at: Int64(place + 1)), .likely)
    }

    /// The last bytes of the text.
    private static func ending(_ text: TextHead, _ sample: Sample) throws -> ArraySlice<UInt8> {
        if text.isWhole { return text.bytes.suffix(lineLimit) }
        let start = sample.content.size - Int64(lineLimit)
        return try sample.content.read(at: start, count: lineLimit)[...]
    }

    /// The label in the last line, with the dashes after it; `nil` if the line does not end the armor of a key or
    /// certificate.
    private static func label(of ending: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var end = ending
        while let last = end.last, last <= 0x20 { end = end.dropLast() }
        guard end.suffix(dashes).elementsEqual("-----".utf8), let line = end.split(separator: 0x0A).last,
            line.begins(with: "-----END ")
        else { return nil }
        let label = line.dropFirst(9)
        // A mail or text that OpenPGP signed ends in the same way.
        return label.count > dashes && !label.begins(with: "PGP ") ? label : nil
    }
}
