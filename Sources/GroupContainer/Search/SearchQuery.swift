internal import ShareModel

/// The words of a search. A package must have all of them; the last one may be the beginning of a word.
///
/// The words are quoted, so that the full-text index never reads them as its query language.
public struct SearchQuery: Sendable {
    /// The number of words that a search uses; it ignores the others.
    public static let wordLimit = 32
    /// The number of bytes of a word that a search uses.
    public static let byteLimit = 256

    let match: String

    /// A query for words; a string may hold several. `nil` if none of them has a letter or a digit.
    public init?(_ words: [String]) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.prefix(Self.wordLimit)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard !parts.isEmpty else { return nil }
        let quoted = parts.map { part in
            "\"\(String(part).cut(toBytes: Self.byteLimit).split(separator: "\"").joined(separator: "\"\""))\""
        }
        match = quoted.joined(separator: " ") + " *"
    }
}
