/// The beginning of a text, in whatever encoding it is.
public struct TextHead: Sendable {
    /// How the bytes stand for characters, as far as bytes can tell.
    public enum Encoding: String, Sendable {
        case ascii = "ASCII"
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16, little-endian"
        case utf16BigEndian = "UTF-16, big-endian"
        /// One of the many with a byte a character, or an old one with more.
        case legacy = "an encoding of before Unicode"
    }

    /// The text as UTF-8 without a byte order mark, or as it is where its encoding is ``Encoding/legacy``.
    public let bytes: [UInt8]
    /// How it is written.
    public let encoding: Encoding
    /// Whether this is all of it.
    public let isWhole: Bool

    /// `nil` where the bytes are no text: they have control characters that no text has.
    public init?(_ head: [UInt8], isWhole: Bool) {
        self.isWhole = isWhole
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            bytes = TextBytes.utf8(head)
            encoding = head[0] == 0xFF ? .utf16LittleEndian : .utf16BigEndian
            guard !bytes.isEmpty, !Self.hasControls(bytes[...]) else { return nil }
            return
        }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        guard !Self.hasControls(text) else { return nil }
        bytes = Array(text)
        if bytes.allSatisfy({ $0 < 0x80 }) {
            encoding = .ascii
        } else {
            encoding = Self.isUTF8(bytes, isWhole: isWhole) ? .utf8 : .legacy
        }
    }

    /// Control characters of ISO 646 that texts do not have; BEL, BS, TAB, LF, VT, FF, CR and ESC are the ones they do.
    private static func hasControls(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.contains { $0 < 0x20 && (0x0800_3F80 >> UInt32($0)) & 1 == 0 || $0 == 0x7F }
        }
    }

    /// Whether all is well-formed (Unicode 15, table 3-7), up to a character that the window cuts.
    private static func isUTF8(_ bytes: [UInt8], isWhole: Bool) -> Bool {
        if String(validating: bytes, as: UTF8.self) != nil { return true }
        guard !isWhole else { return false }
        return (1...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }
}
