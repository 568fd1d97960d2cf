internal import ShareModel

/// The file name patterns of a shared MIME database, in the form of its file `globs2`: `weight:type:pattern[:flags]`.
///
/// Most patterns are an ending (`*.jpg`) or a name (`makefile`) and are looked up; the few with real wild cards are
/// tried one by one.
struct MIMEGlobs: Sendable {
    private struct Glob: Sendable {
        var weight: Int
        var type: Int
        /// Where it is in ``patterns``, as it is written.
        var pattern: Range<Int>
        var isCaseSensitive: Bool
        /// The next one with the same key.
        var next: Int?
    }

    /// Patterns under the part of them that has to be there, in lower case.
    private struct Keyed: Sendable {
        var keys = ByteKeys(capacity: 1024)
        /// The first of each key.
        var first: [Int] = []

        /// Adds a pattern, and gives the first one with its key where that is another.
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
    private var wild: [(glob: Int, exact: MIMEPattern, lower: MIMEPattern)] = []
    /// What names of each of ``wild`` begin and end with, which tells nearly all of them apart from a name.
    private var wildEnds: [(first: MIMEPattern.Bytes, last: MIMEPattern.Bytes)] = []

    /// Longer names say nothing. No file system has them.
    private static let nameLimit = 1024
    /// No pattern has more dots; the name's last ones decide.
    private static let dotLimit = 8

    /// Adds a line; one that is malformed is left out. A line of the program's own table can hold several patterns.
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

    /// Makes a pattern findable.
    private mutating func index(_ pattern: ArraySlice<UInt8>, _ number: Int) {
        if pattern.starts(with: "*.".utf8), !MIMEPattern.isWild(pattern.dropFirst()) {
            append(number, behind: endings.add(number, under: Self.lowercased(pattern.dropFirst())))
        } else if !MIMEPattern.isWild(pattern) {
            append(number, behind: whole.add(number, under: Self.lowercased(pattern)))
        } else {
            let lower = MIMEPattern(Self.lowercased(pattern))
            wild.append((number, MIMEPattern(pattern), lower))
            wildEnds.append(lower.ends)
        }
    }

    /// Puts a pattern behind the first one with its key.
    private mutating func append(_ glob: Int, behind first: Int?) {
        guard var last = first else { return }
        while let next = globs[last].next { last = next }
        globs[last].next = glob
    }

    /// Whether any pattern is of this type.
    func knows(_ type: ArraySlice<UInt8>) -> Bool { names.find(type) != nil }

    /// The types of the heaviest patterns that match the last part of `name`, the longest among them. The case of
    /// letters counts where the name matches with it, and where the pattern says so.
    func types(for name: String) -> [MediaType] { best(for: name).types.compactMap { names[$0] } }

    /// The pattern that a name's types come from, as it is written; `nil` where none matches.
    func pattern(for name: String) -> String? {
        best(for: name).pattern.map { String(decoding: patterns[$0], as: UTF8.self) }
    }

    private func best(for name: String) -> Best {
        var best = Best()
        guard name.utf8.count <= Self.nameLimit else { return best }
        let path = Array(name.utf8)
        // Slashes at the end belong to the name of a folder.
        let end = path.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
        let start = path[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        collect(path[start..<end], into: &best)
        return best
    }

    private func collect(_ name: ArraySlice<UInt8>, into best: inout Best) {
        let lower = Self.lowercased(name)[...]
        var dots = 0
        var place = lower.endIndex
        while place > lower.startIndex, dots < Self.dotLimit {
            place -= 1
            guard lower[place] == UInt8(ascii: ".") else { continue }
            dots += 1
            offer(endings, lower[place...], name, into: &best)
        }
        offer(whole, lower, name, into: &best)
        guard let first = lower.first, let last = lower.last else { return }
        for place in wildEnds.indices where wildEnds[place].first.contains(first) && wildEnds[place].last.contains(last)
        {
            let (number, exact, lowered) = wild[place]
            let glob = globs[number]
            if exact.matches(name) {
                best.offer(glob, isExact: true)
            } else if !glob.isCaseSensitive, lowered.matches(lower) {
                best.offer(glob, isExact: false)
            }
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
        /// The first of them.
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
