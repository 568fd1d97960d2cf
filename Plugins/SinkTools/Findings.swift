public import SinkKit

/// The metadata of an answer, with the rules that all bundled sinks follow: no empty value, and no long one.
public struct Findings: Sendable {
    /// The longest string, in characters.
    public static let maximumTextLength = 1_000
    /// The largest number of strings in a list.
    public static let maximumListCount = 100
    /// The most bytes of all strings in a list together. A host takes 262,144 bytes of metadata.
    public static let maximumListBytes = 32_768

    /// The values by key.
    public private(set) var values: [String: JSONValue] = [:]

    /// No findings.
    public init() {}

    /// The findings as an object.
    public var json: JSONValue { .object(values) }

    /// A value that needs no rule, such as a number.
    public subscript(key: String) -> JSONValue? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// Sets a text in the form of `cleaned(limit:)`. An empty text is no finding.
    public mutating func set(_ key: String, _ text: String?) {
        guard let text = text?.cleaned(), !text.isEmpty else { return }
        values[key] = .string(text)
    }

    /// Sets a list of texts without repetitions, each in the form of `cleaned(limit:)`. An empty list is no finding.
    ///
    /// What exceeds ``maximumListCount`` or ``maximumListBytes`` is left out.
    public mutating func set(_ key: String, list texts: some Sequence<String>) {
        var list: [JSONValue] = []
        var seen: Set<String> = []
        var room = Self.maximumListBytes
        for text in texts {
            let text = text.cleaned()
            guard !text.isEmpty, seen.insert(text).inserted else { continue }
            room -= text.utf8.count
            guard room >= 0, list.count < Self.maximumListCount else { break }
            list.append(.string(text))
        }
        if !list.isEmpty { values[key] = .array(list) }
    }

    /// Says that the content is broken, with the reason in words.
    public mutating func setDamaged(_ problem: String) {
        values["damaged"] = .bool(true)
        set("problem", problem)
    }
}

extension String {
    /// The text on one line: control characters and line ends become spaces, no spaces surround it, and it has at most
    /// `limit` Unicode scalars.
    public func cleaned(limit: Int = Findings.maximumTextLength) -> String {
        let start = unicodeScalars.drop { $0.isSpace }
        var kept = String.UnicodeScalarView()
        for scalar in start.prefix(limit) { kept.append(scalar.isSpace ? " " : scalar) }
        while kept.last == " " { kept.removeLast() }
        return String(kept)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, a line end, or white space.
    fileprivate var isSpace: Bool {
        if isASCII { return value <= 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
        default: return self == "\u{FEFF}"
        }
    }

    /// Whether the scalar can be a part of a word: a letter or a digit of any script.
    public var isOfWord: Bool {
        if isASCII { return (48...57).contains(value) || (65...90).contains(value & 0xDF) }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }
}
