internal import ShareModel

/// What a person looks for: words, phrases and filters.
///
/// | text | meaning |
/// | --- | --- |
/// | `tea` | a word; from four letters on also the beginning of a longer one, which counts less |
/// | `"green tea"` | a phrase, exactly |
/// | `te*` | the beginning of a word |
/// | `-coffee`, `-"green tea"`, `-type:pdf` | what must not be there |
/// | `tea OR coffee` | one of both |
/// | `type:`, `from:`, `to:`, `title:`, `name:`, `in:`, `tag:`, `sink:` | a kind, a sender or author, a recipient, a title or
/// subject, a file's name, a folder, a tag, a sink |
/// | `after:2024-03`, `before:2025` | a date: from the beginning of a day, month or year on, or up to it |
///
/// Small words such as `from`, `in` and `the` do not count beside others, unless they are in quotes. All other signs separate words. The words are quoted, so the full-text index never reads them as its query language.
public struct SearchQuery: Sendable, Equatable {
    /// The largest number of words, phrases and filters of a query.
    public static let termLimit = 64
    /// The largest number of bytes of a word or phrase.
    public static let byteLimit = 512

    /// Alternatives of which a package must have one, for each of several.
    private(set) var groups: [[SearchTerm]] = []
    /// What a package must not have.
    private(set) var excluded: [SearchTerm] = []
    /// The date from which on a package is found, and the one before which; see ``SearchDate``.
    private(set) var after: String?
    private(set) var before: String?
    /// Whether a word finds itself alone, and no longer ones.
    private var isExact = false
    /// The words behind `type:` that are no words for a kind. They may be the endings of names.
    public private(set) var unknownKinds: [String] = []

    /// Why a query means nothing, in words for people.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        /// The reason, with the remedy.
        public let description: String
    }

    /// Reads a query. A string may have several words.
    ///
    /// - Throws: ``Problem`` if there is nothing to look for, if a filter has no meaning, or beyond a limit.
    public init(_ words: [String]) throws(Problem) {
        var isAlternative = false
        let pieces = SearchPiece.all(of: words.joined(separator: " "))
        guard pieces.count <= Self.termLimit else {
            throw Problem(
                description:
                    "there are \(pieces.count) words; write at most \(Self.termLimit), or put quotes around a phrase")
        }
        let hasOthers = pieces.contains { !$0.isFiller && !$0.isExcluded && $0.text != "OR" }
        for piece in pieces where !(hasOthers && piece.isFiller) {
            if piece.isPlain, piece.text == "OR" {
                isAlternative = !groups.isEmpty
                continue
            }
            try add(piece, isAlternative: isAlternative)
            isAlternative = false
        }
        guard groups.isEmpty, after == nil, before == nil else { return }
        guard excluded.isEmpty else {
            throw Problem(
                description: "all words are excluded; add one that must be there, or a filter such as type:pdf")
        }
        throw Problem(description: "there is no word to look for; write one with a letter or a digit")
    }

    private mutating func add(_ piece: SearchPiece, isAlternative: Bool) throws(Problem) {
        if let filter = piece.filter, SearchPiece.columns[filter] == nil, !["after", "before"].contains(filter) {
            let known = SearchPiece.filters.map { $0 + ":" }.joined(separator: ", ")
            throw Problem(
                description:
                    "there is no filter \(filter):; the filters are \(known). Put the word into quotes to look for it")
        }
        guard piece.text.utf8.count <= Self.byteLimit else {
            throw Problem(
                description:
                    "a word or phrase has \(piece.text.utf8.count) bytes; write at most \(Self.byteLimit), such as its "
                    + "beginning with an asterisk")
        }
        switch piece.filter {
        case "after": after = try Self.date(piece, instead: after)
        case "before": before = try Self.date(piece, instead: before)
        default:
            guard let term = SearchTerm(piece) else {
                guard let filter = piece.filter else { return }
                throw Problem(description: "\(filter): has no word; write one right behind it, as in \(filter):word")
            }
            if piece.filter == "type", !piece.isExcluded, !KindWords.isKnown(piece.text) {
                unknownKinds.append(piece.text)
            }
            if piece.isExcluded {
                excluded.append(term)
            } else if isAlternative {
                groups[groups.count - 1].append(term)
            } else {
                groups.append([term])
            }
        }
    }

    /// The beginning of a day, month or year.
    ///
    /// - Parameter other: the date that the filter has already.
    private static func date(_ piece: SearchPiece, instead other: String?) throws(Problem) -> String {
        let filter = piece.filter ?? ""
        guard other == nil else { throw Problem(description: "\(filter): is there twice; write it once") }
        guard !piece.isExcluded else {
            throw Problem(description: "\(filter): cannot be excluded; use before: or after: without the minus")
        }
        let parts = piece.text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let ranges = [1...9999, 1...12, 1...31]
        let isDate =
            (1...3).contains(parts.count) && piece.text.prefix { $0 != "-" }.count == 4
            && zip(parts, ranges).allSatisfy { $0.map($1.contains) ?? false }
        guard isDate else {
            throw Problem(
                description: "\(filter):\(piece.text) is no date; write a year, month or day, as in 2024, "
                    + "2024-03 or 2024-03-05")
        }
        return parts.enumerated().map { index, part in
            (part ?? 0).padded(to: index == 0 ? 4 : 2)
        }.joined(separator: "-")
    }

    /// The expression of the full-text index; `nil` if only dates are asked for.
    ///
    /// - Parameter columns: the columns in which words without a filter are looked for.
    func match(in columns: [SearchColumn] = SearchColumn.ofWords) -> String? {
        guard !groups.isEmpty else { return nil }
        let all = groups.map { group in
            "(" + group.map { $0.match(in: columns, isExact: isExact) }.joined(separator: " OR ") + ")"
        }
        let wanted = all.joined(separator: " AND ")
        return excludedMatch.map { "(\(wanted)) NOT (\($0))" } ?? wanted
    }

    /// The words, phrases and filters that must all be there, as they were written, each with the query for it alone. Without
    /// several of them it is empty.
    public var parts: [(text: String, query: SearchQuery)] {
        guard groups.count > 1 else { return [] }
        return groups.map { group in
            var part = self
            (part.groups, part.excluded, part.after, part.before) = ([group], [], nil, nil)
            return (group.map(\.text).joined(separator: " OR "), part)
        }
    }

    /// The same query without longer words; `nil` if it finds none.
    var exact: SearchQuery? {
        guard !isExact, groups.joined().contains(where: \.findsLongerWords) else { return nil }
        var exact = self
        exact.isExact = true
        return exact
    }

    /// Whether words or filters besides dates are asked for.
    var hasWords: Bool { !groups.isEmpty }

    /// The expression for what a package must not have; `nil` if there is none.
    var excludedMatch: String? {
        guard !excluded.isEmpty else { return nil }
        return excluded.map { $0.match(in: SearchColumn.ofWords, isExact: true) }.joined(separator: " OR ")
    }
}

/// A piece of a query as it was typed.
struct SearchPiece: Equatable {
    var filter: String?
    var text: String
    var isExcluded = false
    var isPhrase = false

    /// The columns of the filters for words.
    static let columns: [String: SearchColumn] = [
        "type": .kind, "from": .author, "to": .people, "title": .title, "subject": .title, "name": .names, "in": .path,
        "tag": .tags, "sink": .sinks,
    ]
    /// All filters, as a message lists them.
    static let filters = ["type", "from", "to", "title", "name", "in", "tag", "sink", "after", "before"]

    /// Words that people type between others, and that say nothing about what they look for.
    private static let fillers: Set<String> = [
        "a", "about", "an", "and", "at", "by", "for", "from", "in", "my", "of", "on", "the", "to", "with",
        "das", "dem", "den", "der", "die", "ein", "eine", "im", "mit", "und", "vom", "von", "vor", "zum", "zur",
    ]

    /// Whether it is such a word.
    var isFiller: Bool { isPlain && Self.fillers.contains(text.lowercased()) }

    /// Whether it is a word without quotes, filter and minus.
    var isPlain: Bool { filter == nil && !isExcluded && !isPhrase }

    /// The pieces of a query: divided at white space outside of quotes. A quote that is not closed ends with the query.
    static func all(of query: String) -> [SearchPiece] {
        var pieces: [SearchPiece] = []
        // Scalars, because a quotation mark and a combining mark after it are one `Character`.
        var rest = Substring(query).unicodeScalars
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            guard !rest.isEmpty else { return pieces }
            var piece = SearchPiece(text: "")
            if rest.first == "-", rest.dropFirst().first.map({ !$0.properties.isWhitespace && $0 != "-" }) ?? false {
                piece.isExcluded = true
                rest.removeFirst()
            }
            let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
            if let colon = word.firstIndex(of: ":"), isFilter(word[..<colon], before: word[colon...]) {
                piece.filter = String(word[..<colon]).lowercased()
                rest = rest[word.index(after: colon)...]
            }
            if rest.first == "\"" {
                let inside = rest.dropFirst().prefix { $0 != "\"" }
                piece.isPhrase = true
                piece.text = String(inside)
                rest = rest[inside.endIndex...].dropFirst()
            } else {
                let end = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
                piece.text = String(end)
                rest = rest[end.endIndex...]
            }
            pieces.append(piece)
        }
    }
}

extension SearchPiece {
    /// Whether a word before a colon is meant as a filter: letters alone, but not the scheme of an address, as in
    /// `https://`, and not a single letter, as in `c:`.
    fileprivate static func isFilter(_ word: Substring.UnicodeScalarView, before rest: Substring.UnicodeScalarView)
        -> Bool
    {
        word.count > 1 && word.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
            && !rest.starts(with: "://".unicodeScalars)
            && !["mailto", "tel", "data", "urn"].contains(String(word).lowercased())
    }
}

/// A word or phrase to look for.
struct SearchTerm: Equatable {
    /// As it was written.
    let text: String
    /// The quoted form.
    private let quoted: String
    /// The same in its other spellings; see ``PlainSpelling``.
    private let spellings: [String]
    private let column: SearchColumn?
    private enum Extent { case exact, beginning, both }
    private let extent: Extent

    /// The number of letters from which on a word also finds longer ones.
    private static let wordLength = 4
    /// The number of letters that the beginning of a word has at least. The index looks at all words with a beginning.
    private static let beginningLength = 2

    /// Whether a word with this filter also finds longer ones. Types, tags and sinks are exact.
    private static func isOpen(_ filter: String?) -> Bool { !["type", "tag", "sink"].contains(filter) }

    /// `nil` if there is no letter or digit in it.
    init?(_ piece: SearchPiece) {
        self.text = (piece.filter.map { $0 + ":" } ?? "") + piece.text
        var text = piece.text
        // The type `image/*` is the beginning of a type.
        let isBeginning = !piece.isPhrase && text.hasSuffix("*")
        while text.hasSuffix("*") || text.hasSuffix("/") { text.removeLast() }
        // Scalars, because a `Character` with a combining mark is not what the index sees.
        guard text.unicodeScalars.contains(where: \.isOfWord) else { return nil }
        column = piece.filter.flatMap { SearchPiece.columns[$0] }
        let length = text.unicodeScalars.count
        if isBeginning, length >= Self.beginningLength {
            extent = .beginning
        } else if !piece.isPhrase, Self.isOpen(piece.filter), length >= Self.wordLength,
            !IndexedText.hasIdeographs(text)
        {
            extent = .both
        } else {
            extent = .exact
        }
        let prepared = IndexedText.prepare(text)
        quoted = Self.quoted(prepared)
        spellings = PlainSpelling.all(of: prepared).map(Self.quoted)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// Whether it finds the word and longer ones.
    var findsLongerWords: Bool { extent == .both }

    /// The expression of the full-text index.
    func match(in columns: [SearchColumn], isExact: Bool) -> String {
        let names = column.map { [$0] } ?? columns
        // The text may be without what the person wrote.
        let all = [quoted] + (names.contains(.spellings) ? spellings : [])
        let matches = all.map { match($0, in: names, isExact: isExact) }
        return matches.count == 1 ? matches[0] : "(" + matches.joined(separator: " OR ") + ")"
    }

    private func match(_ quoted: String, in columns: [SearchColumn], isExact: Bool) -> String {
        let places = "{" + columns.map(\.rawValue).joined(separator: " ") + "} : "
        switch extent {
        case .exact: return places + quoted
        case .beginning: return "\(places)\(quoted) *"
        case .both where isExact: return places + quoted
        // A package that has the word itself has two hits for it.
        case .both: return "(\(places)\(quoted) OR \(places)\(quoted) *)"
        }
    }
}
