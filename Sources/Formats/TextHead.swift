/// The beginning of a text, in any encoding.
package struct TextHead: Sendable {
    /// The encoding, as far as the bytes show it.
    package enum Encoding: String, Sendable {
        case ascii = "ASCII"
        case utf8 = "UTF-8"
        case utf16LittleEndian = "UTF-16, little-endian"
        case utf16BigEndian = "UTF-16, big-endian"
        case utf32LittleEndian = "UTF-32, little-endian"
        case utf32BigEndian = "UTF-32, big-endian"
        /// One of the many encodings with one byte for each character, or an old one with more.
        case legacy = "an encoding of before Unicode"
    }

    /// The text as UTF-8 without a byte order mark. If the encoding is ``Encoding/legacy``, these are the original
    /// bytes.
    package let bytes: [UInt8]
    /// The encoding of the original bytes.
    package let encoding: Encoding
    /// Whether this is the whole text.
    package let isWhole: Bool
    /// The offset in ``bytes`` of the first byte that is not white space; their count if there is none.
    package let firstWord: Int

    /// CP/M and DOS end a text with this character.
    private static let endOfFile: UInt8 = 0x1A

    /// UTF-8 text may have one control character in this number of bytes.
    private static let bytesForASlip = 1 << 10

    /// `nil` if the bytes are not text: they have control characters that do not occur in text, are malformed for their
    /// byte order mark, or look like no known encoding.
    package init?(_ head: [UInt8], isWhole: Bool) {
        if let wide = WideText(head, isWhole: isWhole) {
            guard wide.utf8.withUnsafeBufferPointer({ ByteTraits.scan($0).control }) == nil else { return nil }
            self.init(bytes: wide.utf8, encoding: wide.encoding, isWhole: isWhole)
            return
        }
        var text = head
        // Some programs write a byte order mark before an existing one.
        // They are removed at once, because each removal moves the rest of the text.
        var marks = 0
        while text[marks...].starts(with: [0xEF, 0xBB, 0xBF]) { marks += 3 }
        if marks > 0 { text.removeFirst(marks) }
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

    /// Whether control characters are rare, and none of them is zero. The caller then accepts only UTF-8, because other
    /// data is hardly ever valid UTF-8.
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
