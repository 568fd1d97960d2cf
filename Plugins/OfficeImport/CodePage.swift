import Glibc

/// The code pages of Windows.
enum CodePage {
    /// The code pages by the numbers of character sets in font tables.
    static let byCharacterSet = [
        77: 10_000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
        178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
    ]

    /// The text of bytes in a code page. Bytes that have no meaning in it are left out.
    static func decode(_ bytes: [UInt8], _ page: Int) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        if page == 65_001 { return String(decoding: bytes, as: UTF8.self) }
        let name = page == 10_000 ? "MACINTOSH" : "CP\(page)"
        var converter = iconv_open("UTF-8//IGNORE", name)
        if Int(bitPattern: converter) == -1 { converter = iconv_open("UTF-8//IGNORE", "CP1252") }
        guard let converter, Int(bitPattern: converter) != -1 else { return "" }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // A byte becomes at most three bytes of UTF-8, and a pair at most four.
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        let length = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, left) = (input.baseAddress, input.count)
                var (to, room) = (output.baseAddress, output.count)
                while left > 0, iconv(converter, &from, &left, &to, &room) == -1, left > 0, errno != E2BIG {
                    // Skips a byte without a meaning.
                    from = from.map { $0 + 1 }
                    left -= 1
                }
                return output.count - room
            }
        }
        return String(decoding: output[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
