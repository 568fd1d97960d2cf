internal import Formats
internal import ShareModel

/// Words that a text format begins with, and what has to be behind them.
struct TextSignature: Sendable {
    /// What is seen of the text: where the words are, in its UTF-8 form.
    struct Place {
        let bytes: [UInt8]
        let offset: Int

        /// No more of a text than this is looked at, in bytes from the words on.
        static let window = 4 << 10

        /// The text from the words on.
        var rest: ArraySlice<UInt8> { bytes[offset..<min(bytes.count, offset + Self.window)] }
        /// The line of the words, and those behind it.
        var lines: TextLines { TextLines(bytes, from: offset, upTo: offset + Self.window) }

        func contains(_ text: StaticString) -> Bool {
            ByteSearch.first(Array(text.description.utf8), in: rest) != nil
        }
    }

    typealias Check = @Sendable (Place) -> Bool

    let words: StaticString
    let type: MediaType
    /// The format's name, for people: `PEM`.
    let name: String
    /// Whether letters may be in either case; the words are then in lower case.
    let ignoresCase: Bool
    /// Whether bytes that are no text may follow; the words are then the very first.
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

    /// The words end there: with the line, white space or the text.
    static let isWord: @Sendable (Int) -> Check = { length in
        { place in place.rest.dropFirst(length).first.map { $0 <= 0x20 } ?? true }
    }
}
