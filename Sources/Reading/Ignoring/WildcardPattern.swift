/// A pattern with `*`, `**`, `?`, sets such as `[a-z]`, and `\` before a byte that stands for itself. Only `**` between
/// slashes or ends crosses slashes.
///
/// A comparison reads each byte of a text once, and keeps every place of the pattern that fits the bytes so far. So its
/// time is at most the product of both lengths, whatever the pattern.
struct WildcardPattern: Equatable {
    fileprivate enum Token: Equatable {
        case byte(UInt8)
        /// `?`.
        case any
        case set(ByteSet)
        /// Any bytes, but no slash.
        case star
        /// Any bytes.
        case path
        /// Nothing, and then the next two tokens, a path and a slash, may stand for nothing too.
        case optional
    }

    private static let slash = UInt8(ascii: "/")

    private let tokens: [Token]
    /// For each place, the last one that is reached from it without a byte.
    private let reach: [Int]

    /// A pattern; `nil` if it fits nothing, because a set has no end or names an unknown class, or because the pattern
    /// ends in a backslash.
    init?(_ pattern: some Collection<UInt8>) {
        var parser = WildcardParser(pattern: Array(pattern))
        guard let tokens = parser.tokens() else { return nil }
        self.tokens = tokens
        var reach = Array(0...tokens.count)
        for place in tokens.indices.reversed() {
            switch tokens[place] {
            case .byte, .any, .set: break
            case .star, .path: reach[place] = reach[place + 1]
            case .optional: reach[place] = reach[place + 3]
            }
        }
        self.reach = reach
    }

    static func isSpecial(_ byte: UInt8) -> Bool { "*?[\\".utf8.contains(byte) }

    /// Whether the whole text has the form of the pattern.
    func fits(_ text: some Sequence<UInt8>) -> Bool {
        // In ascending order, without gaps between a place and those that it reaches.
        var places = Array(0...reach[0])
        for byte in text {
            var next: [Int] = []
            for place in places where place < tokens.count {
                guard let target = step(from: place, over: byte) else { continue }
                // The places before are in the list already, because targets ascend too.
                let first = max(target, next.last.map { $0 + 1 } ?? 0)
                if first <= reach[target] { next += first...reach[target] }
            }
            if next.isEmpty { return false }
            places = next
        }
        return places.last == tokens.count
    }

    /// The place behind a byte; `nil` if the token does not fit it.
    private func step(from place: Int, over byte: UInt8) -> Int? {
        switch tokens[place] {
        case .byte(let own): byte == own ? place + 1 : nil
        case .any: byte != Self.slash ? place + 1 : nil
        case .set(let set): byte != Self.slash && set.contains(byte) ? place + 1 : nil
        case .star: byte != Self.slash ? place : nil
        case .path: place
        case .optional: nil
        }
    }
}

/// A set of bytes.
private struct ByteSet: Equatable {
    private var bits = SIMD4<UInt64>()
    var isNegated = false

    func contains(_ byte: UInt8) -> Bool { (bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1) != isNegated }

    mutating func insert(_ bytes: ClosedRange<UInt8>) {
        for byte in bytes { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }
}

/// Takes a pattern apart as git does.
private struct WildcardParser {
    let pattern: [UInt8]
    private var place = 0
    /// The place of the next closing bracket, as it was found last; the end if there is none.
    private var bracket = 0

    init(pattern: [UInt8]) { self.pattern = pattern }

    private var next: UInt8? { place < pattern.count ? pattern[place] : nil }

    /// `nil` if the pattern fits nothing.
    mutating func tokens() -> [WildcardPattern.Token]? {
        var tokens: [WildcardPattern.Token] = []
        while let byte = take() {
            switch byte {
            case UInt8(ascii: "*"): tokens += readStars()
            case UInt8(ascii: "?"): tokens.append(.any)
            case UInt8(ascii: "["):
                guard let set = readSet() else { return nil }
                tokens.append(.set(set))
            case UInt8(ascii: "\\"):
                guard let escaped = take() else { return nil }
                tokens.append(.byte(escaped))
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    private mutating func take() -> UInt8? {
        defer { place += 1 }
        return next
    }

    /// A run of stars, behind its first one.
    private mutating func readStars() -> [WildcardPattern.Token] {
        let slash = UInt8(ascii: "/")
        let start = place - 1
        while next == UInt8(ascii: "*") { place += 1 }
        let isBegin = start == 0 || pattern[start - 1] == slash
        let isEnd = next == nil || next == slash || pattern[place...].starts(with: "\\/".utf8)
        guard place - start > 1, isBegin, isEnd else { return [.star] }
        guard next == slash else { return [.path] }
        skipRepetitions()
        return [.optional, .path]
    }

    /// Goes from the slash of `**/` to that of its last repetition: `**/**/` fits what `**/` fits. A comparison would look
    /// at every repetition for each byte.
    private mutating func skipRepetitions() {
        var last = place
        while next == UInt8(ascii: "/") {
            last = place
            place += 1
            let start = place
            while next == UInt8(ascii: "*") { place += 1 }
            guard place - start > 1 else { break }
        }
        place = last
    }

    /// A set, behind its bracket; `nil` if it has no end, or names an unknown class.
    private mutating func readSet() -> ByteSet? {
        var set = ByteSet()
        set.isNegated = next == UInt8(ascii: "!") || next == UInt8(ascii: "^")
        if set.isNegated { place += 1 }
        // The byte that a range may begin with.
        var first: UInt8?
        // A bracket right at the beginning is a member.
        repeat {
            guard let byte = take() else { return nil }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = take() else { return nil }
                set.insert(escaped...escaped)
                first = escaped
            } else if byte == UInt8(ascii: "-"), let low = first, let end = next, end != UInt8(ascii: "]") {
                place += 1
                guard let high = end == UInt8(ascii: "\\") ? take() : end else { return nil }
                if low <= high { set.insert(low...high) }
                first = nil
            } else if byte == UInt8(ascii: "["), let name = className() {
                guard let ranges = Self.classes[name] else { return nil }
                ranges.forEach { set.insert($0) }
                first = nil
            } else {
                set.insert(byte...byte)
                first = byte
            }
        } while next != UInt8(ascii: "]")
        place += 1
        return set
    }

    /// The name in `[:name:]`, behind the first bracket; `nil` if the text is none, and the bracket a member.
    private mutating func className() -> String? {
        guard next == UInt8(ascii: ":") else { return nil }
        let start = place + 1
        // Looked for again only behind it: a pattern may begin a class at every third byte, and end none.
        if bracket < start { bracket = pattern[start...].firstIndex(of: UInt8(ascii: "]")) ?? pattern.count }
        guard bracket < pattern.count, bracket > start, pattern[bracket - 1] == UInt8(ascii: ":") else { return nil }
        place = bracket + 1
        return String(decoding: pattern[start..<(bracket - 1)], as: UTF8.self)
    }

    /// The classes of POSIX, for ASCII.
    private static let classes: [String: [ClosedRange<UInt8>]] = [
        "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A], "alpha": [0x41...0x5A, 0x61...0x7A],
        "blank": [0x09...0x09, 0x20...0x20], "cntrl": [0x00...0x1F, 0x7F...0x7F], "digit": [0x30...0x39],
        "graph": [0x21...0x7E], "lower": [0x61...0x7A], "print": [0x20...0x7E],
        "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E], "space": [0x09...0x0D, 0x20...0x20],
        "upper": [0x41...0x5A], "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
    ]
}
