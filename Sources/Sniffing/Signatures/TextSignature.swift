internal import Formats
internal import ShareModel

/// The first words of a text format, and a check of the text after them.
struct TextSignature: Sendable {
    /// The text of a check, in UTF-8, and the offset of the words.
    struct Place {
        let bytes: [UInt8]
        let offset: Int

        /// The part of a text that a check sees, in bytes from the words.
        static let window = 4 << 10

        /// The text from the words.
        var rest: ArraySlice<UInt8> { bytes[offset..<min(bytes.count, offset + Self.window)] }
        /// The lines from the words.
        var lines: TextLines { TextLines(bytes, from: offset, upTo: offset + Self.window) }

        func contains(_ text: StaticString) -> Bool {
            ByteSearch.first(Array(text.description.utf8), in: rest) != nil
        }
    }

    typealias Check = @Sendable (Place) -> Bool

    let words: StaticString
    let type: MediaType
    /// The format's name in evidence: `PEM`.
    let name: String
    /// Whether the case of letters is ignored; the words must then be in lower case.
    let ignoresCase: Bool
    /// Whether binary data may follow; the words must then be at the very beginning.
    let allowsBinary: Bool
    let check: Check?

    init(
        _ name: String, _ type: MediaType, _ words: StaticString, ignoresCase: Bool = false,
        allowsBinary: Bool = false, where check: Check? = nil
    ) {
        self.words = words
        self.type = type
        self.name = name
        self.ignoresCase = ignoresCase
        self.allowsBinary = allowsBinary
        self.check = check
    }

    func matches(_ place: Place) -> Bool {
        let rest = place.bytes[place.offset...]
        guard ignoresCase ? rest.begins(withAnyCase: words) : rest.begins(with: words) else { return false }
        return check.map { $0(place) } ?? true
    }

    /// Whether the words are followed by white space or by the end of the text.
    static let isWord: @Sendable (Int) -> Check = { length in
        { place in place.rest.dropFirst(length).first.map { $0 <= 0x20 } ?? true }
    }
}
