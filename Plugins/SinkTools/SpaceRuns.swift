/// Makes each run of spaces and line ends in markup one space, and drops those at the start of a line.
public struct SpaceRuns: Sendable {
    private var endsInSpace = true

    /// Begins with the start of a line.
    public init() {}

    /// The next piece of text on the line, without the bytes that do not count.
    public mutating func kept(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        bytes.filter { byte in
            let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
            defer { endsInSpace = isSpace }
            return !(isSpace && endsInSpace)
        }
    }

    /// Goes on as at the start of a line.
    public mutating func startLine() { endsInSpace = true }
}
