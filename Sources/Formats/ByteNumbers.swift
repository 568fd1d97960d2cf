/// Numbers in the bytes of a structure. What lies beyond the end, or is above `Int.max`, is `nil`.
extension [UInt8] {
    /// A little-endian number of `width` bytes, at most eight.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= 8, offset <= count - width else { return nil }
        var value: UInt64 = 0
        for place in stride(from: offset + width - 1, through: offset, by: -1) {
            value = value << 8 | UInt64(self[place])
        }
        return Int(exactly: value)
    }

    /// Whether these bytes are at a place.
    func has(_ wanted: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - wanted.count else { return false }
        return self[offset..<offset + wanted.count].elementsEqual(wanted)
    }
}
