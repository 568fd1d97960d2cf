internal import Formats
internal import ShareModel

/// SubRip by its first entry: a number, and a line of two times with `-->` between them. WebVTT, which has such lines,
/// too, begins with its own name.
struct SubtitleInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["application/x-subrip"]

    /// Neither line is longer.
    private static let lineLimit = 80

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text(), text.firstWord < text.bytes.count,
            text.bytes[text.firstWord].isDigit
        else { return nil }
        var lines = TextLines(text.bytes, from: text.firstWord)
        guard let number = lines.next(), number.count <= Self.lineLimit, number.trimmed.number != nil,
            let times = lines.nextFilled(), times.count <= Self.lineLimit
        else { return nil }
        let words = times.split(whereSeparator: { $0 <= 0x20 })
        guard words.count >= 3, words[1].begins(with: "-->"), Self.isTime(words[0]), Self.isTime(words[2]) else {
            return nil
        }
        return Finding("application/x-subrip", Evidence("subtitles", "a number and a span of time"))
    }

    /// `01:02:03,456`; some write a point.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(omittingEmptySubsequences: false) { ":,.".utf8.contains($0) }
        return parts.count == 4 && parts.allSatisfy { $0.number != nil }
    }
}
