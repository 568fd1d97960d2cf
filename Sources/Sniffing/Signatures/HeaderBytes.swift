/// What the bytes of a header are, besides the numbers in them.
extension [UInt8] {
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
