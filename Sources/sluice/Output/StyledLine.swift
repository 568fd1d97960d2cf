/// A line for people. What is written literally in the program is trusted; whatever is interpolated is made safe by
/// ``SafeText`` on its way in, so that no name can reach a terminal raw.
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
    }

    private(set) var segments: [Segment] = []

    init(stringLiteral value: String) { segments = [Segment(text: value, style: .plain)] }
    init(stringInterpolation: Interpolation) { segments = stringInterpolation.segments }
    init(_ text: String, _ style: Style) { segments = [Segment(text: SafeText.escape(text), style: style)] }

    struct Interpolation: StringInterpolationProtocol {
        var segments: [Segment] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { segments.append(Segment(text: literal, style: .plain)) }
        }

        mutating func appendInterpolation(_ text: some StringProtocol, _ style: Style = .plain) {
            segments.append(Segment(text: SafeText.escape(text), style: style))
        }

        /// A name, a title or a caption: of a long one, the beginning.
        mutating func appendInterpolation(name text: some StringProtocol, _ style: Style = .plain) {
            segments.append(Segment(text: SafeText.escape(name: text), style: style))
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) {
            segments.append(Segment(text: String(number), style: .plain))
        }

        mutating func appendInterpolation(_ line: StyledLine) { segments += line.segments }
    }

    static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var sum = left
        sum.segments += right.segments
        return sum
    }

    static func += (left: inout StyledLine, right: StyledLine) { left.segments += right.segments }

    /// The line without its line feed, with SGR sequences (ECMA-48, section 8.3.117) where color is wanted.
    func rendered(color: Bool) -> String { String(decoding: bytes(color: color), as: UTF8.self) }

    /// The same as bytes, for a stream.
    func bytes(color: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for segment in segments {
            let isColored = color && segment.style != .plain && !segment.text.isEmpty
            if isColored { bytes.append(contentsOf: "\u{1B}[\(segment.style.rawValue)m".utf8) }
            bytes.append(contentsOf: segment.text.utf8)
            if isColored { bytes.append(contentsOf: "\u{1B}[0m".utf8) }
        }
        return bytes
    }

    /// Columns on a terminal.
    var width: Int { segments.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// Filled with spaces up to so many columns; a longer line stays as it is.
    func padded(to columns: Int) -> StyledLine {
        let missing = columns - width
        return missing > 0 ? self + StyledLine(stringLiteral: String(repeating: " ", count: missing)) : self
    }
}
