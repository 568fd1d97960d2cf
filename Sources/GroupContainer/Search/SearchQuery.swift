internal import ShareModel

/// The words of a search. A package must have all of them; the last one may be the beginning of a word.
///
/// The words are quoted, so that the full-text index never reads them as its query language.
public struct SearchQuery: Sendable {
    /// The number of words that a search uses; it ignores the others.
    public static let wordLimit = 32
    /// The number of bytes of a word that a search uses.
    public static let byteLimit = 256

    /// A query of the full-text index for each word.
    let words: [String]
    /// A query for rows that have all words.
    var match: String { words.joined(separator: " ") }

    /// A query for words; a string may hold several. `nil` if none of them has a letter or a digit.
    public init?(_ words: [String]) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.prefix(Self.wordLimit)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard !parts.isEmpty else { return nil }
        // Scalars, because a quotation mark and a combining mark after it are one `Character`.
        let quoted = parts.map { part -> String in
            let scalars = String(part).cut(toBytes: Self.byteLimit).unicodeScalars
            return "\"" + scalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
        }
        self.words = quoted.dropLast() + quoted.suffix(1).map { $0 + " *" }
    }
}
