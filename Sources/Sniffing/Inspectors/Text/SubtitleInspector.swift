internal import Formats
internal import ShareModel

/// Recognizes SubRip by its first entry: a number, then a line of two times with `-->` between them. WebVTT has such
/// lines too, but starts with its own name.
struct SubtitleInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["application/x-subrip"]

    /// The largest length of these lines, in bytes.
    private static let lineLimit = 80
    /// The bytes in which they are.
    private static let window = 512

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text(), text.firstWord < text.bytes.count,
            text.bytes[text.firstWord].isDigit
        else { return nil }
        // A line of other text can be as long as the text.
        var lines = TextLines(Array(text.bytes[text.firstWord...].prefix(Self.window)))
        guard let number = lines.next(), number.count <= Self.lineLimit, number.trimmed.number != nil,
            let times = lines.nextFilled(), times.count <= Self.lineLimit
        else { return nil }
        let words = times.split(whereSeparator: { $0 <= 0x20 })
        guard words.count >= 3, words[1].begins(with: "-->"), Self.isTime(words[0]), Self.isTime(words[2]) else {
            return nil
        }
        return Finding("application/x-subrip", Evidence("subtitles", "a number and a span of time"))
    }

    /// Whether a word is a time: `01:02:03,456`. Some programs write a point.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(omittingEmptySubsequences: false) { ":,.".utf8.contains($0) }
        return parts.count == 4 && parts.allSatisfy { $0.number != nil }
    }
}
