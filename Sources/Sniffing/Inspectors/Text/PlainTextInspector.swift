internal import Formats
internal import ShareModel

/// Text by what it lacks: control characters that no text has (ISO 646), bytes that are no character (Unicode 15,
/// table 3-7). What kind of text it is, is for others to say.
struct PlainTextInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = [.plainText]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        return Finding(.plainText, Evidence("text", text.encoding.rawValue), .guessed)
    }
}
