import SinkTools

/// The code pages of Windows, as RTF numbers them.
enum RTFCodePage {
    /// The code pages by the numbers of character sets in font tables.
    static let byCharacterSet = [
        77: 10_000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
        178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
    ]

    /// The text of bytes in a code page.
    static func decode(_ bytes: [UInt8], _ page: Int) -> String {
        let name = page == 65_001 ? "UTF-8" : page == 10_000 ? "MACINTOSH" : "CP\(page)"
        return Charset.decode(bytes[...], name) ?? Charset.decode(bytes[...], "CP1252") ?? ""
    }
}
