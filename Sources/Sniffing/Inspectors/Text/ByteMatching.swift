/// Compares text without creating strings.
extension ArraySlice<UInt8> {
    /// Whether the bytes start with this text.
    func begins(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[startIndex &+ $0] == text.utf8Start[$0] }
    }

    /// Whether the bytes start with this text, in any case of ASCII letters. `text` must be in lower case.
    func begins(withAnyCase text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[startIndex &+ $0].lowercased == text.utf8Start[$0] }
    }

    /// Whether the bytes equal this text, in any case of ASCII letters. `text` must be in lower case.
    func isWord(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && begins(withAnyCase: text) }

    /// The bytes without white space at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first <= 0x20 { slice = slice.dropFirst() }
        while let last = slice.last, last <= 0x20 { slice = slice.dropLast() }
        return slice
    }

    /// Whether all bytes are of base64's alphabet (RFC 4648, section 4).
    var isBase64: Bool { allSatisfy { $0.isLetter || $0.isDigit || "+/=".utf8.contains($0) } }

    /// The decimal number, of at most nine digits; `nil` if the bytes are not one.
    var number: Int? {
        guard (1...9).contains(count), allSatisfy(\.isDigit) else { return nil }
        return reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The parts before and after the first `byte`; `nil` if it does not occur.
    func split(at byte: UInt8) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        firstIndex(of: byte).map { (self[startIndex..<$0], self[($0 + 1)...]) }
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isLetter: Bool { lowercased >= 0x61 && lowercased <= 0x7A }
    /// The byte with an ASCII letter in lower case.
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
