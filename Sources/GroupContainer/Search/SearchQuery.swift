internal import ShareModel

/// What a person looks for: every word must be there, the last may be the beginning of one.
///
/// Words are text, never the language of the full-text index: each is quoted.
package struct SearchQuery: Sendable {
    /// How many words are looked for; the others are left out.
    package static let wordLimit = 32
    /// The longest word that is looked for, in bytes.
    package static let byteLimit = 256

    let match: String

    /// A query for words, each of which may hold several; `nil` where there is nothing to look for in them.
    package init?(_ words: [String]) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.prefix(Self.wordLimit)
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard !parts.isEmpty else { return nil }
        let quoted = parts.map { part in
            "\"\(String(part).cut(toBytes: Self.byteLimit).split(separator: "\"").joined(separator: "\"\""))\""
        }
        match = quoted.joined(separator: " ") + " *"
    }
}
