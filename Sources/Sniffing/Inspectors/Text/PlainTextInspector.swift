internal import Formats
internal import ShareModel

/// Recognizes text: it has no control characters that do not occur in text (ISO 646), and no bytes that are not
/// characters (Unicode 15, table 3-7). Other inspectors refine the kind of text.
struct PlainTextInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes: Set<MediaType> = [.plainText]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        return Finding(.plainText, Evidence("text", text.encoding.rawValue), .guessed)
    }
}
