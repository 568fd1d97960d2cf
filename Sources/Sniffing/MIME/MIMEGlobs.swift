internal import ShareModel

/// The file name patterns of a shared MIME database, in the format of its file `globs2`: `weight:type:pattern[:flags]`.
///
/// Most patterns are an extension (`*.jpg`) or a whole name (`makefile`) and are looked up in a table. The few patterns
/// with other wildcards are tried one by one.
struct MIMEGlobs: Sendable {
    private struct Glob: Sendable {
        var weight: Int
        var type: Int
        /// The range of the pattern in ``patterns``, as written.
        var pattern: Range<Int>
        var isCaseSensitive: Bool
        /// The next pattern with the same key.
        var next: Int?
    }

    /// Patterns by the fixed part that a name must have, in lower case.
    private struct Keyed: Sendable {
        var keys = ByteKeys(capacity: 1024)
        /// The first pattern of each key.
        var first: [Int] = []

        /// Adds a pattern. Returns the first pattern with the same key if that is another one.
        mutating func add(_ glob: Int, under key: [UInt8]) -> Int? {
            let key = keys.insert(key)
            guard key == first.count else { return first[key] }
            first.append(glob)
            return nil
        }
    }

    private var names = TypeNames(capacity: 1024)
    private var globs: [Glob] = []
    private var patterns: [UInt8] = []
    private var endings = Keyed()
    private var whole = Keyed()
    private var wild: [(glob: Int, exact: MIMEPattern, lower: MIMEPattern, yields: Bool)] = []
    /// The first and last bytes of the names that each pattern in ``wild`` can match. They exclude nearly all patterns
    /// at low cost.
    private var wildEnds: [(first: MIMEPattern.Bytes, last: MIMEPattern.Bytes)] = []

    /// The longest name that is looked up, in bytes. File systems do not allow longer names.
    private static let nameLimit = 1024
    /// The largest number of dots in an extension; the last dots of a name count.
    private static let dotLimit = 8

    /// Adds a line, and ignores a malformed one. A line of the program's own table can have several patterns.
    mutating func add(_ line: ArraySlice<UInt8>) {
        var fields = Fields(line, UInt8(ascii: ":"))
        guard let weight = fields.next().flatMap(Self.number), let type = fields.next(),
            let patterns = fields.next()
        else { return }
        let flags = fields.next() ?? []
        let isCaseSensitive = Fields(flags, UInt8(ascii: ",")).contains { $0.elementsEqual("cs".utf8) }
        let number = names.insert(type)
        for pattern in Fields(patterns, UInt8(ascii: " ")) {
            let place = self.patterns.count..<self.patterns.count + pattern.count
            self.patterns.append(contentsOf: pattern)
            globs.append(Glob(weight: weight, type: number, pattern: place, isCaseSensitive: isCaseSensitive))
            index(pattern, globs.count - 1)
        }
    }

    /// The treatment of a pattern that matches more names than it means.
    private enum Exception {
        case ignored
        /// The pattern matches no name with a known extension.
        case yielding
    }

    /// Patterns of the shared MIME database with a treatment of their own.
    private static let exceptions: [String: Exception] = [
        // Manual pages. Versions and old logs also end with a digit.
        "*.[1-9]": .ignored,
        // Versions of a library. It would also match `libx.so.1.zip`.
        "*.so.[0-9]*": .yielding,
    ]

    /// Adds a pattern to the table of its kind.
    private mutating func index(_ pattern: ArraySlice<UInt8>, _ number: Int) {
        if pattern.starts(with: "*.".utf8), !MIMEPattern.isWild(pattern.dropFirst()) {
            append(number, behind: endings.add(number, under: Self.lowercased(pattern.dropFirst())))
        } else if !MIMEPattern.isWild(pattern) {
            append(number, behind: whole.add(number, under: Self.lowercased(pattern)))
        } else {
            let exception = Self.exceptions[String(decoding: pattern, as: UTF8.self)]
            guard exception != .ignored else { return }
            let lower = MIMEPattern(Self.lowercased(pattern))
            wild.append((number, MIMEPattern(pattern), lower, yields: exception == .yielding))
            wildEnds.append(lower.ends)
        }
    }

    /// Appends a pattern to the list of its key.
    private mutating func append(_ glob: Int, behind first: Int?) {
        guard var last = first else { return }
        while let next = globs[last].next { last = next }
        globs[last].next = glob
    }

    /// Whether a pattern for this type exists.
    func knows(_ type: ArraySlice<UInt8>) -> Bool { names.find(type) != nil }

    /// The types of the patterns that match the last component of `name`. A match in the exact case wins, then the
    /// highest weight, then the longest pattern. Some patterns match only in the exact case.
    func types(for name: String) -> [MediaType] { best(for: name).types.compactMap { names[$0] } }

    /// The pattern that gave the types, as written; `nil` if none matches.
    func pattern(for name: String) -> String? {
        best(for: name).pattern.map { String(decoding: patterns[$0], as: UTF8.self) }
    }

    private func best(for name: String) -> Best {
        var best = Best()
        guard name.utf8.count <= Self.nameLimit else { return best }
        let path = Array(name.utf8)
        // The name of a folder may end with slashes.
        let end = path.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
        let start = path[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        collect(path[start..<end], into: &best)
        return best
    }

    private func collect(_ name: ArraySlice<UInt8>, into best: inout Best) {
        let lower = Self.lowercased(name)[...]
        var dots = 0
        var place = lower.endIndex
        // An extension may have several dots, as in `.tar.gz`.
        while place > lower.startIndex, dots < Self.dotLimit {
            place -= 1
            guard lower[place] == UInt8(ascii: ".") else { continue }
            dots += 1
            offer(endings, lower[place...], name, into: &best)
        }
        let hasExtension = !best.types.isEmpty
        offer(whole, lower, name, into: &best)
        guard let first = lower.first, let last = lower.last else { return }
        for place in wildEnds.indices where wildEnds[place].first.contains(first) && wildEnds[place].last.contains(last)
        {
            let (number, exact, lowered, yields) = wild[place]
            if yields, hasExtension { continue }
            let glob = globs[number]
            let isExact = exact.matches(name)
            guard isExact || (!glob.isCaseSensitive && lowered.matches(lower)) else { continue }
            best.offer(glob, isExact: isExact)
        }
    }

    private func offer(
        _ table: Keyed, _ key: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>, into best: inout Best
    ) {
        var next = table.keys.find(key).map { table.first[$0] }
        while let number = next {
            let glob = globs[number]
            let isExact = name.suffix(key.count).elementsEqual(patterns[glob.pattern].suffix(key.count))
            if isExact || !glob.isCaseSensitive {
                best.offer(glob, isExact: isExact)
            }
            next = glob.next
        }
    }

    /// The types of the best patterns so far.
    private struct Best {
        private var rank = (isExact: 0, weight: Int.min, length: 0)
        private(set) var types: [Int] = []
        /// The first of these patterns.
        private(set) var pattern: Range<Int>?

        mutating func offer(_ glob: Glob, isExact: Bool) {
            let new = (isExact: isExact ? 1 : 0, weight: glob.weight, length: glob.pattern.count)
            if new > rank {
                rank = new
                types = [glob.type]
                pattern = glob.pattern
            } else if new == rank, !types.contains(glob.type) {
                types.append(glob.type)
            }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count < 6, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
