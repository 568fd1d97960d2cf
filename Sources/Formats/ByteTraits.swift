/// Classifies bytes in one pass, eight at a time.
enum ByteTraits {
    private static let low: UInt64 = 0x2020_2020_2020_2020
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080
    private static let deletes: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    /// The control characters of ISO 646 that occur in text: BEL, BS, TAB, LF, VT, FF, CR and ESC.
    private static let allowed: UInt32 = 0x0800_3F80

    /// The offset of the first control character that does not occur in text, and whether bytes above ASCII precede it.
    static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> (control: Int?, hasHigh: Bool) {
        guard let base = bytes.baseAddress else { return (nil, false) }
        let raw = UnsafeRawPointer(base)
        var seen: UInt64 = 0
        var index = 0
        while index &+ 8 <= bytes.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            seen |= word
            let delete = word ^ deletes
            // The high bit of a byte is set in `suspects` if the byte may be below 0x20, or may be 0x7F. A borrow from
            // the byte below can set it wrongly, so the loop checks each byte again.
            let suspects = ((word &- low) & ~word) | ((delete &- ones) & ~delete)
            if suspects & highs != 0, let place = (index..<index + 8).first(where: { isControl(base[$0]) }) {
                return (place, seen & highs != 0)
            }
            index &+= 8
        }
        while index < bytes.count {
            if isControl(base[index]) { return (index, seen & highs != 0) }
            seen |= UInt64(base[index])
            index &+= 1
        }
        return (nil, seen & highs != 0)
    }

    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 ? (allowed >> UInt32(byte)) & 1 == 0 : byte == 0x7F
    }

    /// Whether all bytes are UTF-8 (Unicode 15, table 3-7). With `mayBeCut`, the last character may be incomplete.
    static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>, mayBeCut: Bool) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let raw = UnsafeRawPointer(base)
        var index = 0
        while index < bytes.count {
            if base[index] < 0x80 {
                // Most text is ASCII; this loop skips eight ASCII characters at a time.
                while index &+ 8 <= bytes.count,
                    raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & highs == 0
                {
                    index &+= 8
                }
                while index < bytes.count, base[index] < 0x80 { index &+= 1 }
                continue
            }
            guard let length = length(of: base[index]) else { return false }
            for place in 1..<length {
                guard index + place < bytes.count else { return mayBeCut }
                let range = place == 1 ? second(after: base[index]) : 0x80...0xBF
                guard range.contains(base[index + place]) else { return false }
            }
            index &+= length
        }
        return true
    }

    private static func length(of lead: UInt8) -> Int? {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    private static func second(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}
