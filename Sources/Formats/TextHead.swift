/// The beginning of a text, in whatever encoding it is.
public struct TextHead: Sendable {
    /// How the bytes stand for characters, as far as bytes can tell.
    public enum Encoding: String, Sendable {
        case ascii = "ASCII"
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16, little-endian"
        case utf16BigEndian = "UTF-16, big-endian"
        case utf32LittleEndian = "UTF-32, little-endian"
        case utf32BigEndian = "UTF-32, big-endian"
        /// One of the many with a byte a character, or an old one with more.
        case legacy = "an encoding of before Unicode"
    }

    /// The text as UTF-8 without a byte order mark, or as it is where its encoding is ``Encoding/legacy``.
    public let bytes: [UInt8]
    /// How it is written.
    public let encoding: Encoding
    /// Whether this is all of it.
    public let isWhole: Bool
    /// Where the first byte that is no white space is in ``bytes``; their count where there is none.
    public let firstWord: Int

    /// CP/M and DOS end a text with it.
    private static let endOfFile: UInt8 = 0x1A

    /// One control character in so many bytes is forgiven where all the rest is UTF-8.
    private static let bytesForASlip = 1 << 10

    /// `nil` where the bytes are no text: they have control characters that no text has, are not well-formed for their
    /// byte order mark, or are in no encoding that they look like.
    public init?(_ head: [UInt8], isWhole: Bool) {
        if let wide = WideText(head, isWhole: isWhole) {
            guard wide.utf8.withUnsafeBufferPointer({ ByteTraits.scan($0).control }) == nil else { return nil }
            self.init(bytes: wide.utf8, encoding: wide.encoding, isWhole: isWhole)
            return
        }
        var text = head
        // Programs that write a mark put it before one that is there.
        while text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        let traits = text.withUnsafeBufferPointer { ByteTraits.scan($0) }
        var isStrict = false
        if let control = traits.control {
            if isWhole, control > 0, text[control...].allSatisfy({ $0 == Self.endOfFile }) {
                text.removeSubrange(control...)
            } else {
                guard Self.hasFewControls(text) else { return nil }
                isStrict = true
            }
        }
        guard let encoding = text.withUnsafeBufferPointer({ Self.encoding($0, traits, isWhole) }),
            !isStrict || encoding != .legacy
        else { return nil }
        self.init(bytes: text, encoding: encoding, isWhole: isWhole)
    }

    private init(bytes: [UInt8], encoding: Encoding, isWhole: Bool) {
        self.bytes = bytes
        self.encoding = encoding
        self.isWhole = isWhole
        firstWord = bytes.firstIndex { $0 > 0x20 } ?? bytes.count
    }

    /// Whether control characters are as rare as a slip; zeros are none. Nothing but text is UTF-8 besides.
    private static func hasFewControls(_ text: [UInt8]) -> Bool {
        var left = text.count / bytesForASlip
        for byte in text where ByteTraits.isControl(byte) {
            left -= 1
            if byte == 0 || left < 0 { return false }
        }
        return true
    }

    private static func encoding(
        _ text: UnsafeBufferPointer<UInt8>, _ traits: (control: Int?, hasHigh: Bool), _ isWhole: Bool
    ) -> Encoding? {
        if !traits.hasHigh, traits.control == nil { return .ascii }
        if ByteTraits.isUTF8(text, mayBeCut: !isWhole) { return .utf8 }
        return LegacyText.isPlausible(text) ? .legacy : nil
    }
}
