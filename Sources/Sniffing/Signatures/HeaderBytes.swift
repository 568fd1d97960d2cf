/// Numbers in the bytes of a header. What lies beyond the end, or is above `Int.max`, is `nil`.
extension [UInt8] {
    /// A big-endian number of `width` bytes, at most 8.
    func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        var number: UInt64 = 0
        for index in offset..<offset + width { number = number << 8 | UInt64(self[index]) }
        return Int(exactly: number)
    }

    /// A little-endian number of `width` bytes, at most 8.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        var number: UInt64 = 0
        for index in (offset..<offset + width).reversed() { number = number << 8 | UInt64(self[index]) }
        return Int(exactly: number)
    }

    /// A number in the byte order that the content itself tells.
    func number(_ offset: Int, _ width: Int, isBig: Bool) -> Int? {
        isBig ? big(offset, width) : little(offset, width)
    }

    /// Whether these bytes are at a place.
    func has(_ bytes: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - bytes.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.utf8CodeUnitCount where self[offset + index] != bytes.utf8Start[index] { return false }
        return true
    }

    /// Whether a number of bytes from a place are all there, and zero.
    func isZero(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] != 0 { return false }
        return true
    }

    /// Whether a number of bytes from a place are all there, and printable ASCII.
    func isPrintable(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] < 0x20 || self[index] > 0x7E { return false }
        return true
    }

    /// Whether there is a control character that no text has among so many of the first bytes.
    func hasControl(within width: Int) -> Bool {
        for index in 0..<Swift.min(width, count) where self[index] < 7 || (14...31).contains(self[index]) {
            if self[index] != 0x1B { return true }
        }
        return false
    }
}

extension Int? {
    /// Whether there is a number, and it is in a range.
    func isIn(_ range: ClosedRange<Int>) -> Bool { map(range.contains) ?? false }
}
