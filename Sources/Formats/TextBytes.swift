/// Decodes text by its byte order mark.
package enum TextBytes {
    /// The text as UTF-8 without a byte order mark. Only a mark identifies UTF-16; bytes without one are returned
    /// unchanged.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        // This is several times as fast as the standard library, but fails on malformed text. Text is nearly always
        // well-formed.
        if let wide = WideText(bytes, isWhole: false) { return wide.utf8 }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { (at: Int) -> UInt16 in
            let (high, low) = isBig ? (bytes[at], bytes[at + 1]) : (bytes[at + 1], bytes[at])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
