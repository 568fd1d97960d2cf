/// A regular expression of a schema's `pattern`, matched in time that is proportional to its size and the text's.
///
/// The dialect is the part of ECMA-262 (with the flag `u`) that needs no going back: literals, `.`, classes
/// (`[a-z]`, `[^…]`, `\d \D \w \W \s \S`), groups `(…)` and `(?:…)`, `|`, `^`, `$`, `* + ? {n} {n,} {n,m}` and their lazy
/// forms, and the escapes `\t \n \r \f \v \xHH \uHHHH \u{H…}` and of punctuation. It matches anywhere in a text
/// unless it is anchored. Back references, looking around and `\b`, `\p` are refused.
///
/// Swift's `Regex` goes back to try other ways, and no limit of a text's length bounds its time: in a debug build
/// `^(a*)*b$` takes 0.45 s for 20 letters and four times as long for every two more, and `^(a?){30}a{9}b$` takes minutes
/// for 10 letters. A manifest is read in every run, also for a sink that is turned off.
package struct SchemaPattern: Sendable {
    /// The longest expression, in Unicode scalars.
    package static let maximumLength = 1_000
    /// The most steps that an expression may come to once its counts are written out.
    package static let maximumSteps = 2_000
    /// The highest count in braces.
    package static let maximumCount = 1_000
    /// Groups within one another.
    package static let maximumDepth = 16

    /// A set of scalars.
    package struct Scalars: Sendable {
        var ranges: [ClosedRange<UInt32>]
        var isInverted = false

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar.value) } != isInverted
        }
    }

    /// A step of the machine that matches: one that takes a scalar, a fork, a jump, or a condition of the place.
    package enum Step: Sendable {
        case take(Scalars)
        case fork(Int, Int)
        case jump(Int)
        case start
        case end
    }

    private let steps: [Step]

    /// - Throws: ``JSONSchema/Broken`` where the expression is none of the dialect, or too large.
    package init(_ source: String) throws {
        var parser = SchemaPatternParser(source)
        steps = try SchemaPatternCompiler.steps(of: try parser.parse())
    }

    /// Whether the expression matches somewhere in the text.
    package func matches(_ text: String) -> Bool {
        var places = Places(count: steps.count + 1)
        var scalars = text.unicodeScalars.makeIterator()
        var isStart = true
        var scalar = scalars.next()
        while true {
            // A match may begin at every place.
            follow(0, into: &places, isStart: isStart, isEnd: scalar == nil)
            if places.contains(steps.count) { return true }
            guard let current = scalar else { return false }
            scalar = scalars.next()
            isStart = false
            var next = Places(count: steps.count + 1)
            for place in places.list {
                if case .take(let set) = steps[place], set.contains(current) {
                    follow(place + 1, into: &next, isStart: false, isEnd: scalar == nil)
                }
            }
            places = next
        }
    }

    /// Adds a place and all that it leads to without taking a scalar.
    private func follow(_ place: Int, into places: inout Places, isStart: Bool, isEnd: Bool) {
        var open = [place]
        while let place = open.popLast() {
            guard places.insert(place), place < steps.count else { continue }
            switch steps[place] {
            case .take: break
            case .fork(let first, let second): open += [second, first]
            case .jump(let target): open.append(target)
            case .start: if isStart { open.append(place + 1) }
            case .end: if isEnd { open.append(place + 1) }
            }
        }
    }

    /// The places that a match has come to, each once.
    private struct Places {
        private var isIn: [Bool]
        private(set) var list: [Int] = []

        init(count: Int) { isIn = Array(repeating: false, count: count) }

        func contains(_ place: Int) -> Bool { isIn[place] }

        mutating func insert(_ place: Int) -> Bool {
            if isIn[place] { return false }
            isIn[place] = true
            list.append(place)
            return true
        }
    }
}
