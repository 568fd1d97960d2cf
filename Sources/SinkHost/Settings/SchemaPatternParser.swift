/// Parses a regular expression of the dialect that ``SchemaPattern`` describes, by recursive descent.
struct SchemaPatternParser {
    private let source: String
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    init(_ source: String) {
        self.source = source
        // One more than allowed, so that `parse` can tell that the source is too long.
        scalars = Array(source.unicodeScalars.prefix(SchemaPattern.maximumLength + 1))
    }

    mutating func parse() throws -> PatternNode {
        guard scalars.count <= SchemaPattern.maximumLength else {
            throw JSONSchema.Broken("a pattern is longer than \(SchemaPattern.maximumLength) characters")
        }
        let node = try choice()
        if place < scalars.count { throw broken("has a ')' without a '('") }
        return node
    }

    private func broken(_ why: String) -> JSONSchema.Broken {
        JSONSchema.Broken("the pattern '\(source)' \(why); see the dialect in the specification")
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    private mutating func take() throws -> Unicode.Scalar {
        guard let scalar = next else { throw broken("is incomplete at its end") }
        place += 1
        return scalar
    }

    private mutating func choice() throws -> PatternNode {
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try repeated(try atom())) }
        return .sequence(nodes)
    }

    private mutating func atom() throws -> PatternNode {
        switch try take() {
        case "^": return .start
        case "$": return .end
        case ".": return .take(.lineTerminators.inverted)
        case "[": return .take(try set())
        case "\\": return .take(try escape())
        case "(": return try group()
        case let scalar where "*+?{}]".unicodeScalars.contains(scalar):
            throw broken("has a '\(scalar)' where nothing can be repeated or closed")
        case let scalar: return .take(.init(ranges: [scalar.value...scalar.value]))
        }
    }

    private mutating func group() throws -> PatternNode {
        if skip("?"), !skip(":") { throw broken("has a lookaround or a named group, which is not supported") }
        depth += 1
        defer { depth -= 1 }
        guard depth <= SchemaPattern.maximumDepth else {
            throw broken("has more than \(SchemaPattern.maximumDepth) nested groups")
        }
        let node = try choice()
        guard skip(")") else { throw broken("has a '(' without a ')'") }
        return node
    }

    private mutating func repeated(_ node: PatternNode) throws -> PatternNode {
        let counts: (Int, Int?)
        if skip("*") {
            counts = (0, nil)
        } else if skip("+") {
            counts = (1, nil)
        } else if skip("?") {
            counts = (0, 1)
        } else if skip("{") {
            counts = try braces()
        } else {
            return node
        }
        switch node {
        case .start, .end: throw broken("repeats an anchor")
        default: break
        }
        // A lazy form matches the same texts. It would only differ in the matched range, which a schema does not use.
        _ = skip("?")
        return .repeated(node, least: counts.0, most: counts.1)
    }

    private mutating func braces() throws -> (Int, Int?) {
        let least = try number()
        var most: Int? = least
        if skip(",") { most = next == "}" ? nil : try number() }
        guard skip("}") else { throw broken("has a '{' without a '}'") }
        if let most, most < least { throw broken("has a count whose end is below its beginning") }
        return (least, most)
    }

    private mutating func number() throws -> Int {
        var digits = ""
        // More digits than the highest count has are not read, so the number cannot overflow.
        while let scalar = next, ("0"..."9").contains(scalar), digits.utf8.count < 5 {
            digits.unicodeScalars.append(scalar)
            place += 1
        }
        guard let number = Int(digits), number <= SchemaPattern.maximumCount else {
            throw broken("needs a count of at most \(SchemaPattern.maximumCount) in braces")
        }
        return number
    }

    private mutating func set() throws -> SchemaPattern.Scalars {
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        // ECMA-262 allows an empty class: `[]` matches nothing, and `[^]` matches every character.
        while !skip("]") {
            let first = try member()
            guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
                ranges += first.ranges
                continue
            }
            place += 1
            let last = try member()
            guard let from = first.single, let to = last.single, from <= to else {
                throw broken("has a range whose end is below its beginning, or is a class")
            }
            ranges.append(from...to)
        }
        return .init(ranges: ranges, isInverted: isInverted)
    }

    private mutating func member() throws -> SchemaPattern.Scalars {
        let scalar = try take()
        return scalar == "\\" ? try escape() : .init(ranges: [scalar.value...scalar.value])
    }

    private mutating func escape() throws -> SchemaPattern.Scalars {
        let scalar = try take()
        switch scalar {
        case "d": return .digits
        case "D": return .digits.inverted
        case "w": return .wordLetters
        case "W": return .wordLetters.inverted
        case "s": return .spaces
        case "S": return .spaces.inverted
        case "t": return .one(9)
        case "n": return .one(10)
        case "v": return .one(11)
        case "f": return .one(12)
        case "r": return .one(13)
        case "x": return .one(try hexadecimal(2))
        case "u": return .one(try skip("{") ? longHexadecimal() : hexadecimal(4))
        case let mark
        where mark.isASCII && mark.value > 32 && !mark.properties.isAlphabetic && !("0"..."9").contains(mark):
            return .one(mark.value)
        default: throw broken("has the escape '\\\(scalar)', which is not supported")
        }
    }

    private mutating func hexadecimal(_ count: Int) throws -> UInt32 {
        var digits = ""
        for _ in 0..<count { digits.unicodeScalars.append(try take()) }
        return try scalar(digits)
    }

    private mutating func longHexadecimal() throws -> UInt32 {
        var digits = ""
        while !skip("}") { digits.unicodeScalars.append(try take()) }
        return try scalar(digits)
    }

    private func scalar(_ digits: String) throws -> UInt32 {
        guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
            Unicode.Scalar(value) != nil
        else { throw broken("has the escape of a character with the invalid number '\(digits)'") }
        return value
    }
}

extension SchemaPattern.Scalars {
    static let digits = Self(ranges: [48...57])
    static let wordLetters = Self(ranges: [48...57, 65...90, 95...95, 97...122])
    /// The productions WhiteSpace and LineTerminator of ECMA-262.
    static let spaces = Self(ranges: [
        9...13, 32...32, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let lineTerminators = Self(ranges: [10...10, 13...13, 0x2028...0x2029])

    static func one(_ scalar: UInt32) -> Self { Self(ranges: [scalar...scalar]) }

    /// All other scalars. They are ranges, not an inverted set, so that a set can contain them beside others.
    var inverted: Self {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > start { gaps.append(start...(range.lowerBound - 1)) }
            start = max(start, range.upperBound + 1)
        }
        gaps.append(start...0x10FFFF)
        return Self(ranges: gaps)
    }

    /// The scalar, if there is exactly one.
    fileprivate var single: UInt32? {
        ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
    }
}
