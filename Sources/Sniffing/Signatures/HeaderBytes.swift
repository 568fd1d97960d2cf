/// Checks the bytes of a header.
extension [UInt8] {
    /// Whether `width` bytes from this offset exist and are zero.
    func isZero(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] != 0 { return false }
        return true
    }

    /// Whether `width` bytes from this offset exist and are printable ASCII.
    func isPrintable(_ offset: Int, _ width: Int) -> Bool {
        guard offset >= 0, offset <= count - width else { return false }
        for index in offset..<offset + width where self[index] < 0x20 || self[index] > 0x7E { return false }
        return true
    }

    /// Whether the first `width` bytes have a control character that does not occur in text.
    func hasControl(within width: Int) -> Bool {
        for index in 0..<Swift.min(width, count) where self[index] < 7 || (14...31).contains(self[index]) {
            // ESC occurs in text: in colors for a terminal, and in encodings such as ISO-2022-JP.
            if self[index] != 0x1B { return true }
        }
        return false
    }
}

extension Int? {
    /// Whether there is a number in this range.
    func isIn(_ range: ClosedRange<Int>) -> Bool { map(range.contains) ?? false }
}
