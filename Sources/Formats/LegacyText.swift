/// Recognizes text in encodings older than Unicode. ISO 8859 and the Windows code pages use one byte for each
/// character; Shift-JIS, EUC, GBK and Big5 use one or two. ISO-2022 is ASCII with escape sequences.
///
/// Any bytes are valid text in some code page, so the bytes must look like text. They must be mostly ASCII (western
/// European languages), words of other scripts between spaces, or well-formed pairs.
enum LegacyText {
    /// Below this size, the text must be mostly ASCII, with spaces, or in common characters of East Asia.
    private static let shortSize = 32
    /// The largest average length of a word with its separator, in bytes.
    private static let longestWord = 64
    /// Padding and tables of numbers have fewer different bytes above ASCII than this.
    private static let fewestLetters = 8

    static func isPlausible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] &+= 1 }
        let high = counts[0x80...].reduce(0, +)
        let spaces = counts[0x20] + counts[0x0A] + counts[0x0D] + counts[0x09]
        if bytes.count < shortSize {
            if high * 3 <= bytes.count, counts[0xFF] == 0, spaces > 0 { return true }
            return high > 0 && counts[0xFF] == 0 && PairedText.isPlausible(bytes)
        }
        if high * 10 <= bytes.count * 3 { return true }
        let letters = counts[0x80...].count { $0 > 0 }
        guard letters >= fewestLetters else { return false }
        return spaces * longestWord >= bytes.count || isPairs(bytes)
    }

    /// Whether the bytes above ASCII form pairs of a lead and a trail byte.
    ///
    /// In GBK, Big5 and EUC, lead bytes are 0x81 to 0xFE, and trail bytes start at 0x40. In Shift-JIS, 0xA1 to 0xDF are
    /// single characters; in the other encodings they are lead bytes. So they may stand alone.
    private static func isPairs(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte >= 0x80 else { continue }
            guard byte != 0x80, byte != 0xFF else { return false }
            guard index < bytes.count else { return true }
            if bytes[index] >= 0x40, bytes[index] != 0x7F, bytes[index] != 0xFF {
                index += 1
            } else if !(0xA1...0xDF).contains(byte) {
                return false
            }
        }
        return true
    }
}
