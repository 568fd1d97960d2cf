/// A line for people, or a part of one, with styles.
///
/// A literal in the program is trusted. Each interpolated text passes through ``SafeText``, so the type itself prevents
/// that a name reaches a terminal unescaped.
struct StyledLine: ExpressibleByStringInterpolation, Equatable {
    enum Style: String {
        case plain = ""
        case good = "32"
        case bad = "31"
        case warning = "33"
        case dim = "2"
        case strong = "1"
    }

    struct Segment: Equatable {
        var text: String
        var style: Style
        /// Whether the text is a command, which must not be broken into lines.
        var isWhole = false
    }

    private(set) var segments: [Segment] = []
    /// A picture that covers the end of this line and of the blank ones above it.
    var picture: TerminalPicture?

    init(stringLiteral value: String) { segments = [Segment(text: value, style: .plain)] }
    init(stringInterpolation: Interpolation) { segments = stringInterpolation.segments }
    init(_ text: String, _ style: Style) { segments = [Segment(text: SafeText.escape(text), style: style)] }

    /// A text, filled with spaces to a number of columns; a longer text is not changed.
    init(_ text: String, _ style: Style, columns: Int) {
        let text = SafeText.escape(text)
        let missing = max(0, columns - DisplayWidth.of(text))
        let first = Segment(text: text, style: style)
        segments = missing > 0 ? [first, Segment(text: .spaces(missing), style: .plain)] : [first]
    }

    struct Interpolation: StringInterpolationProtocol {
        var segments: [Segment] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            // A line that is interpolated has some segments of its own, and a literal can stand before it.
            segments.reserveCapacity(4 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { segments.append(Segment(text: literal, style: .plain)) }
        }

        mutating func appendInterpolation(_ text: some StringProtocol, _ style: Style = .plain) {
            segments.append(Segment(text: SafeText.escape(text), style: style))
        }

        /// A name, a title or a caption, cut to ``SafeText/nameLimit``.
        mutating func appendInterpolation(name text: some StringProtocol, _ style: Style = .plain) {
            segments.append(Segment(text: SafeText.escape(name: text), style: style))
        }

        /// A command that a person can copy. The caller has escaped it.
        mutating func appendInterpolation(command: StyledLine) {
            segments += command.segments.map { Segment(text: $0.text, style: $0.style, isWhole: true) }
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) {
            segments.append(Segment(text: String(number), style: .plain))
        }

        mutating func appendInterpolation(_ line: StyledLine) { segments += line.segments }
    }

    static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var sum = left
        sum += right
        return sum
    }

    static func += (left: inout StyledLine, right: StyledLine) {
        left.segments += right.segments
        left.picture = right.picture ?? left.picture
    }

    mutating func append(_ segment: Segment) { segments.append(segment) }

    /// The line without a line feed; with color, styles are SGR sequences (ECMA-48, section 8.3.117).
    func rendered(color: Bool) -> String { String(decoding: bytes(color: color), as: UTF8.self) }

    /// The rendered line as bytes.
    func bytes(color: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for segment in segments {
            let isColored = color && segment.style != .plain && !segment.text.isEmpty
            if isColored { bytes.append(contentsOf: "\u{1B}[\(segment.style.rawValue)m".utf8) }
            // Faster than with the view of the text.
            var text = segment.text
            text.withUTF8 { bytes.append(contentsOf: $0) }
            if isColored { bytes.append(contentsOf: "\u{1B}[0m".utf8) }
        }
        return bytes
    }

    /// In columns of a terminal.
    var width: Int { segments.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// The line, filled with spaces to a number of columns; a longer line is not changed.
    func padded(to columns: Int) -> StyledLine {
        let missing = columns - width
        guard missing > 0 else { return self }
        var line = self
        line.append(Segment(text: .spaces(missing), style: .plain))
        return line
    }
}

extension String {
    /// This number of spaces.
    static func spaces(_ count: Int) -> String {
        // `String(repeating:count:)` appends them one by one.
        String(unsafeUninitializedCapacity: count) { buffer in
            buffer.initialize(repeating: UInt8(ascii: " "))
            return count
        }
    }
}
