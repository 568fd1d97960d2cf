/// Text whose encoding its byte order mark tells.
public enum TextBytes {
    /// The text as UTF-8 without a mark. UTF-16 is known by its mark alone; everything else is returned as it is.
    public static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        // Well-formed text, nearly always; the library's way is several times slower, and mends what is not.
        if let wide = WideText(bytes, isWhole: false) { return wide.utf8 }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { (at: Int) -> UInt16 in
            let (high, low) = isBig ? (bytes[at], bytes[at + 1]) : (bytes[at + 1], bytes[at])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
