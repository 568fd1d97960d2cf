/// A file name pattern with the wildcards `*`, `?`, `[a-z]` and `[!a-z]`. A `\` makes the next character literal.
/// POSIX.1-2017, XCU, section 2.13.
struct MIMEPattern: Sendable {
    /// A set of bytes.
    struct Bytes: Sendable {
        var words: SIMD4<UInt64> = .zero

        mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
        func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & (1 << UInt64(byte & 63)) != 0 }
        var inverted: Bytes { Bytes(words: ~words) }
    }

    /// One set of bytes for each byte of a name; `nil` stands for any number of any bytes.
    private var parts: [Bytes?] = []

    init(_ pattern: some Sequence<UInt8>) {
        var rest = Array(pattern)[...]
        while let first = rest.popFirst() {
            switch first {
            case UInt8(ascii: "*"): if parts.last.map({ $0 == nil }) != true { parts.append(nil) }
            case UInt8(ascii: "?"): parts.append(Bytes().inverted)
            case UInt8(ascii: "["): parts.append(Self.bracket(&rest) ?? Self.one(first))
            case UInt8(ascii: "\\"): parts.append(Self.one(rest.popFirst() ?? first))
            default: parts.append(Self.one(first))
            }
        }
    }

    /// Whether a pattern has wildcards or escapes.
    static func isWild(_ pattern: ArraySlice<UInt8>) -> Bool {
        pattern.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B || $0 == 0x5C }
    }

    /// The bytes with which a matching name can begin and end.
    var ends: (first: Bytes, last: Bytes) {
        let all = Bytes().inverted
        return ((parts.first ?? all) ?? all, (parts.last ?? all) ?? all)
    }

    /// Whether the pattern matches the whole name. The time is linear in the name for patterns with one `*`.
    func matches(_ name: ArraySlice<UInt8>) -> Bool {
        var place = name.startIndex
        var part = 0
        var retry: (part: Int, place: Int)?
        while place < name.endIndex {
            if part < parts.count, let bytes = parts[part], bytes.contains(name[place]) {
                place += 1
                part += 1
            } else if part < parts.count, parts[part] == nil {
                part += 1
                retry = (part, place)
            } else if let last = retry {
                // The latest star matches one more byte.
                retry = (last.part, last.place + 1)
                (part, place) = (last.part, last.place + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == nil }
    }

    private static func one(_ byte: UInt8) -> Bytes {
        var bytes = Bytes()
        bytes.insert(byte)
        return bytes
    }

    /// The set after a `[`; `nil` if there is no closing bracket.
    private static func bracket(_ rest: inout ArraySlice<UInt8>) -> Bytes? {
        let isInverted = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        let inside = rest.dropFirst(isInverted ? 1 : 0)
        // A closing bracket in the first position is a member of the set.
        guard let end = inside.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
        var bytes = Bytes()
        var place = inside.startIndex
        while place < end {
            if place + 2 < end, inside[place + 1] == UInt8(ascii: "-") {
                if inside[place] <= inside[place + 2] {
                    (inside[place]...inside[place + 2]).forEach { bytes.insert($0) }
                }
                place += 3
            } else {
                bytes.insert(inside[place])
                place += 1
            }
        }
        rest = rest[(end + 1)...]
        return isInverted ? bytes.inverted : bytes
    }
}
