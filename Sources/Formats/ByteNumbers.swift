/// Reads numbers from the bytes of a structure; `nil` beyond the end, or above `Int.max`.
extension [UInt8] {
    /// A big-endian number of `width` bytes. `width` must be at most 8.
    @inlinable package func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= 8, offset <= count - width else { return nil }
        var number: UInt64 = 0
        for index in offset..<offset + width { number = number << 8 | UInt64(self[index]) }
        return Int(exactly: number)
    }

    /// A little-endian number of `width` bytes. `width` must be at most 8.
    @inlinable package func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= 8, offset <= count - width else { return nil }
        var number: UInt64 = 0
        for index in (offset..<offset + width).reversed() { number = number << 8 | UInt64(self[index]) }
        return Int(exactly: number)
    }

    /// A number of `width` bytes in the byte order that the content states.
    @inlinable package func number(_ offset: Int, _ width: Int, isBig: Bool) -> Int? {
        isBig ? big(offset, width) : little(offset, width)
    }

    /// Whether these bytes are at this offset.
    @inlinable package func has(_ bytes: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - bytes.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.utf8CodeUnitCount where self[offset + index] != bytes.utf8Start[index] { return false }
        return true
    }

    /// Whether these bytes are at this offset.
    @inlinable package func has(_ wanted: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - wanted.count else { return false }
        return self[offset..<offset + wanted.count].elementsEqual(wanted)
    }
}
