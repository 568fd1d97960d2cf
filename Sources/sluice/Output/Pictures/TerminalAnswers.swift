import Ingestion

/// What a terminal answered to ``question``.
///
/// A terminal is not trusted: its answers may be broken, endless, or mixed with keys that a person types. Anything that is no
/// answer to the question is left out.
struct TerminalAnswers: Equatable {
    /// Whether it knows kitty's graphics protocol.
    var kitty = false
    /// Whether it knows sixels.
    var sixel = false
    /// The number of colors that a sixel picture can have; `nil` if it did not say.
    var colors: Int?
    /// The size of a cell; `nil` if it did not say.
    var cell: PixelBox?
    /// Whether the last question is answered. Terminals answer in order, so no other answer follows.
    var isComplete = false

    /// Four questions. Nearly every terminal answers the last one, and ignores those that it does not know.
    static let question = [
        // A picture of one pixel, which is not shown (https://sw.kovidgoyal.net/kitty/graphics-protocol, "Querying support").
        "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
        // XTWINOPS 16: the size of a cell in pixels. XTSMGRAPHICS: the number of color registers (xterm's ctlseqs).
        "\u{1B}[16t", "\u{1B}[?1;1;0S",
        // DA1: the terminal's attributes; 4 stands for sixels (DEC STD 070).
        "\u{1B}[c",
    ].joined()

    /// The largest side of a cell that is believed, in pixels.
    private static let largestCell = 256
    /// The most color registers that are believed.
    private static let mostColors = 1 << 16

    private static let escape: UInt8 = 0x1B

    init() {}

    /// The answers in the bytes so far. An answer that is not whole yet is left out.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: Self.escape) {
            rest = rest[start...].dropFirst()
            switch rest.popFirst() {
            case UInt8(ascii: "["): takeControlSequence(&rest)
            case UInt8(ascii: "_"): takeCommand(&rest)
            default: break
            }
        }
    }

    /// ECMA-48, section 5.4: parameter bytes and intermediate bytes, then a final byte.
    private mutating func takeControlSequence(_ rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return rest.removeAll() }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        let final = rest[end]
        // An escape begins the next sequence.
        rest = final == Self.escape ? rest[end...] : rest[end...].dropFirst()
        let isPrivate = text.hasPrefix("?")
        let numbers = text.dropFirst(isPrivate ? 1 : 0).split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) }
        switch final {
        case UInt8(ascii: "c") where isPrivate:
            // The first number is the terminal's level.
            sixel = numbers.dropFirst().contains(4)
            isComplete = true
        case UInt8(ascii: "t") where !isPrivate && numbers.count == 3 && numbers[0] == 6:
            let sides = numbers.compactMap { $0 }.filter { (1...Self.largestCell).contains($0) }
            if sides.count == 3 { cell = PixelBox(width: sides[2], height: sides[1]) }
        case UInt8(ascii: "S") where isPrivate && numbers.count == 3 && numbers[0] == 1 && numbers[1] == 0:
            if let count = numbers[2], (2...Self.mostColors).contains(count) { colors = count }
        default: break
        }
    }

    /// ECMA-48, section 5.6: an application program command, up to the string terminator.
    private mutating func takeCommand(_ rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(of: Self.escape) else { return rest.removeAll() }
        if rest[..<end].elementsEqual("Gi=31;OK".utf8), rest[end...].dropFirst().first == UInt8(ascii: "\\") {
            kitty = true
        }
        rest = rest[end...]
    }
}
