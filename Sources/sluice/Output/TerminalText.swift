/// Text for a terminal, piece by piece: as it is, but with control characters other than line feeds and tabs shown as
/// escapes.
struct TerminalText {
    /// The end of the last piece, whose character may continue in the next one.
    private var rest: [UInt8] = []

    /// The text of a piece, as far as its characters are whole. A piece may have at most ``SafeText/limit`` bytes.
    mutating func show(_ piece: some Collection<UInt8>) -> [UInt8] {
        rest += piece
        let end = rest.count - Self.open(rest)
        defer { rest.removeFirst(end) }
        return Self.escape(rest[..<end])
    }

    /// What is left of the last piece.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return Self.escape(rest[...])
    }

    /// The number of bytes at the end that the next piece may complete: of a character, or of the end of a line in the
    /// form of Windows.
    private static func open(_ bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        // At most three bytes of a character of four.
        for (count, byte) in bytes.suffix(3).reversed().enumerated() {
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF where count < 1, 0xE0...0xEF where count < 2, 0xF0...0xF4: return count + 1
            default: return 0
            }
        }
        return 0
    }

    private static func escape(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let ending = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let cells = ending.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            return Array(cells.map { SafeText.escape(bytes: $0) }.joined(separator: "\t").utf8)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
