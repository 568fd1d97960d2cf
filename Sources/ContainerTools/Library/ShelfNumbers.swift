internal import SQLite
internal import ShareModel

/// The numbers of equal names that are taken, by rows of `shelf` or by other files in the folder.
///
/// The rows of a name are read once for all pieces that have the name. Testing number after number would cost a query
/// each, for every further `Invoice.pdf`. No other process writes rows meanwhile, since the run holds the library lock.
struct ShelfNumbers {
    /// The number of names that are kept, which bounds the memory. A run with more names reads some of them again.
    private static let limit = 10_000

    /// A key without its number.
    private struct Name: Hashable {
        var stem: String
        /// See ``LibraryName/ending``.
        var ending: String

        init(stem: String, ending: String) { (self.stem, self.ending) = (stem, ending) }
        init(_ name: LibraryName) { self.init(stem: name.foldedStem, ending: name.foldedEnding) }
    }

    private struct Taken {
        var numbers = RangeSet<Int>()
        /// The numbers of links without a row, by the object that they lead to. A restored catalog has such links.
        var strays: [Digest: [Int]] = [:]

        /// The lowest free number from `start` on.
        func free(from start: Int) -> Int {
            guard let range = numbers.ranges.first(where: { $0.upperBound > start }), range.contains(start) else {
                return start
            }
            return range.upperBound
        }
    }

    private var names: [Name: Taken] = [:]

    init() {}

    /// Reads the numbers that rows have taken, for those of the names that are not known yet.
    mutating func read(_ database: Database, _ names: [LibraryName]) throws {
        if self.names.count > Self.limit { self.names.removeAll() }
        for name in names {
            let known = Name(name)
            guard self.names[known] == nil else { continue }
            var numbers = try ShelfRow.has(database, key: name.key(1)) ? [1] : []
            try ShelfRow.forEachKey(database, beginning: "\(known.stem) ") { key in
                if let number = Self.number(in: key, of: known) { numbers.append(number) }
            }
            var taken = Taken()
            // In order, because inserting at the end of the set moves nothing.
            for number in numbers.sorted() { taken.numbers.insert(contentsOf: number..<(number + 1)) }
            self.names[known] = taken
        }
    }

    /// Takes the lowest number that is free for all of the names.
    mutating func takeFree(_ names: [LibraryName]) -> Int {
        let known = names.map(Name.init)
        var (number, last) = (1, 0)
        while number != last {
            last = number
            for name in known { number = self.names[name, default: Taken()].free(from: number) }
        }
        for (name, known) in zip(names, known) {
            self.names[known, default: Taken()].numbers.insert(contentsOf: number..<(number + 1))
            take(name.key(number))
        }
        return number
    }

    /// Takes the number of a link to the object that has no row; `nil` if none is known.
    mutating func takeStray(_ name: LibraryName, _ digest: Digest) -> Int? {
        let known = Name(name)
        guard var numbers = names[known]?.strays.removeValue(forKey: digest), !numbers.isEmpty else { return nil }
        let number = numbers.removeFirst()
        if !numbers.isEmpty { names[known]?.strays[digest] = numbers }
        return number
    }

    /// Remembers the number of a link to an object that has no row.
    mutating func addStray(_ name: LibraryName, _ number: Int, _ digest: Digest) {
        names[Name(name), default: Taken()].strays[digest, default: []].append(number)
    }

    /// Frees the number of a removed row.
    mutating func release(_ key: String) {
        for (name, number) in Self.origins(of: key) {
            names[name]?.numbers.remove(contentsOf: number..<(number + 1))
        }
    }

    /// Takes a key under each name that can have it: the second `a.pdf` and the first `a (2).pdf` have the same key.
    mutating func take(_ key: String) {
        for (name, number) in Self.origins(of: key) {
            names[name]?.numbers.insert(contentsOf: number..<(number + 1))
        }
    }

    /// The names that can have this key, each with its number.
    private static func origins(of key: String) -> [(Name, Int)] {
        // Bytes, not characters: Swift joins some letters and the dot after them into one character.
        let ends = key.utf8.indices.filter { LibraryName.joints.contains(key.utf8[$0]) } + [key.endIndex]
        return ends.flatMap { end in
            let (stem, ending) = (String(key[..<end]), String(key[end...]))
            guard let space = stem.utf8.lastIndex(of: UInt8(ascii: " ")) else {
                return [(Name(stem: stem, ending: ending), 1)]
            }
            let base = Name(stem: String(stem[..<space]), ending: ending)
            return [(Name(stem: stem, ending: ending), 1)] + (number(in: key, of: base).map { [(base, $0)] } ?? [])
        }
    }

    /// The number in a numbered key of the name, which is at least 2; `nil` for a key that ``LibraryName`` does not
    /// make.
    private static func number(in key: String, of name: Name) -> Int? {
        let (start, end) = ("\(name.stem) (".utf8, ")\(name.ending)".utf8)
        let bytes = key.utf8
        guard bytes.count > start.count + end.count, bytes.starts(with: start),
            bytes.suffix(end.count).elementsEqual(end)
        else { return nil }
        let digits = Substring(bytes.dropFirst(start.count).dropLast(end.count))
        guard let number = Int(digits), number > 1, number < .max, "\(number)" == digits else { return nil }
        return number
    }
}
