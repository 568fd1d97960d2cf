/// Text of before Unicode: ISO 8859 and the Windows code pages, a byte a character; Shift-JIS, EUC, GBK and Big5, one
/// or two (ISO-2022 is ASCII with escapes).
///
/// Any bytes are a text in some code page, so it has to look like one: most of it ASCII, as in the languages of western
/// Europe, or words of other scripts between spaces, or well-formed pairs.
enum LegacyText {
    /// Fewer bytes than these must be ASCII for the most part, in words.
    private static let shortSize = 32
    /// No language's words, with what separates them, are longer on average.
    private static let longestWord = 64
    /// Padding and tables of numbers have fewer different bytes beyond ASCII.
    private static let fewestLetters = 8

    static func isPlausible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] &+= 1 }
        let high = counts[0x80...].reduce(0, +)
        let spaces = counts[0x20] + counts[0x0A] + counts[0x0D] + counts[0x09]
        if bytes.count < shortSize { return high * 3 <= bytes.count && counts[0xFF] == 0 && spaces > 0 }
        if high * 10 <= bytes.count * 3 { return true }
        let letters = counts[0x80...].count { $0 > 0 }
        guard letters >= fewestLetters else { return false }
        return spaces * longestWord >= bytes.count || isPairs(bytes)
    }

    /// Whether bytes beyond ASCII come as lead and trail byte: GBK, Big5 and EUC have leads from 0x81 to 0xFE, trails
    /// from 0x40; Shift-JIS has single ones from 0xA1 to 0xDF, which are leads there, too, and so may stand alone.
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
