/// A regular expression of a schema's `pattern`. The time of a match is proportional to its size times the text's
/// length.
///
/// The dialect is the part of ECMA-262 (with the flag `u`) that needs no backtracking:
/// - literals, `.`, and classes (`[a-z]`, `[^…]`, `\d \D \w \W \s \S`)
/// - groups `(…)` and `(?:…)`, and `|`
/// - the anchors `^` and `$`; without them, a pattern matches anywhere in a text
/// - `* + ? {n} {n,} {n,m}` and their lazy forms
/// - the escapes `\t \n \r \f \v \xHH \uHHHH \u{H…}`, and escaped punctuation
///
/// It refuses back references, lookaround, `\b` and `\p`.
///
/// Swift's `Regex` backtracks, so a hostile manifest could make a match take hours even for a short text. In a debug
/// build `^(a*)*b$` takes 0.45 s for 20 letters, and four times as long for every two more. `^(a?){30}a{9}b$` takes
/// minutes for 10 letters. Every run reads all manifests, also those of sinks that are turned off.
package struct SchemaPattern: Sendable {
    /// The longest expression, in Unicode scalars.
    package static let maximumLength = 1_000
    /// The most steps after compilation, which repeats a node as often as its count says.
    package static let maximumSteps = 2_000
    /// The highest count in braces.
    package static let maximumCount = 1_000
    /// The most nested groups.
    package static let maximumDepth = 16

    /// A set of scalars.
    package struct Scalars: Sendable {
        var ranges: [ClosedRange<UInt32>]
        var isInverted = false

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar.value) } != isInverted
        }
    }

    /// A step of the matching machine, a nondeterministic automaton: it takes a scalar, forks, jumps, or tests for an
    /// end of the text.
    package enum Step: Sendable {
        case take(Scalars)
        case fork(Int, Int)
        case jump(Int)
        case start
        case end
    }

    private let steps: [Step]

    /// - Throws: ``JSONSchema/Broken`` if the expression is not in the dialect, or is too large.
    package init(_ source: String) throws {
        var parser = SchemaPatternParser(source)
        steps = try SchemaPatternCompiler.steps(of: try parser.parse())
    }

    /// Whether the expression matches somewhere in the text.
    package func matches(_ text: String) -> Bool {
        var (places, next) = (Places(count: steps.count + 1), Places(count: steps.count + 1))
        var open: [Int] = []
        var scalars = text.unicodeScalars.makeIterator()
        var isStart = true
        var scalar = scalars.next()
        while true {
            // An unanchored match may begin at every scalar.
            follow(0, into: &places, &open, isStart: isStart, isEnd: scalar == nil)
            if places.contains(steps.count) { return true }
            guard let current = scalar else { return false }
            scalar = scalars.next()
            isStart = false
            for place in places.list {
                if case .take(let set) = steps[place], set.contains(current) {
                    follow(place + 1, into: &next, &open, isStart: false, isEnd: scalar == nil)
                }
            }
            swap(&places, &next)
            next.removeAll()
        }
    }

    /// Adds a place, and every place that it reaches without taking a scalar.
    ///
    /// - Parameter open: empty before and after; one array serves all calls.
    private func follow(
        _ place: Int, into places: inout Places, _ open: inout [Int], isStart: Bool, isEnd: Bool
    ) {
        open.append(place)
        while let place = open.popLast() {
            guard places.insert(place), place < steps.count else { continue }
            switch steps[place] {
            case .take: break
            case .fork(let first, let second):
                open.append(second)
                open.append(first)
            case .jump(let target): open.append(target)
            case .start: if isStart { open.append(place + 1) }
            case .end: if isEnd { open.append(place + 1) }
            }
        }
    }

    /// The places that a match has reached, each once. This bounds the time: a backtracking matcher would visit a place
    /// again for each way that leads to it.
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

        /// Keeps the memory.
        mutating func removeAll() {
            for place in list { isIn[place] = false }
            list.removeAll(keepingCapacity: true)
        }
    }
}
