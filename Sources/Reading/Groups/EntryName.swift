internal import Files
internal import ShareModel
internal import SystemPackage

/// The name of an entry, taken apart by bytes, because it need not be UTF-8.
struct EntryName {
    let bytes: [UInt8]
    /// The name up to the last dot; the whole name if there is none.
    let stem: [UInt8]
    /// The text behind the last dot, in lower case; empty if there is none.
    let ending: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let dot = bytes.dropFirst().lastIndex(of: UInt8(ascii: "."))
        stem = Array(bytes[..<(dot ?? bytes.endIndex)])
        ending = dot.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self).lowercased() } ?? ""
    }

    /// Whether the name consists of some bytes and this text.
    func ends(in text: String) -> Bool {
        bytes.count > text.utf8.count && bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// The name with a number behind its stem: `a.jpg` and `(1)` make `a(1).jpg`.
    func numbered(_ number: ArraySlice<UInt8>) -> [UInt8] { stem + number + bytes[stem.count...] }

    /// Bytes without the number in parentheses at their end, and that number; `nil` if they end in none.
    static func splitNumber(_ bytes: [UInt8]) -> (rest: [UInt8], number: ArraySlice<UInt8>)? {
        guard bytes.last == UInt8(ascii: ")"), let start = bytes.lastIndex(of: UInt8(ascii: "(")), start > 0,
            case let digits = bytes[(start + 1)...].dropLast(), !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return (Array(bytes[..<start]), bytes[start...])
    }
}
