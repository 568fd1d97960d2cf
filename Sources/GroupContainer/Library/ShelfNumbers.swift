internal import GRDB
internal import ShareModel

/// Which numbers of equal names are taken, by rows of `shelf` and by what else lies in the folder.
///
/// The rows of a name are read once for all pieces that have the name, so that the next free number needs no search. No
/// other process may write rows meanwhile: the run holds the library lock.
struct ShelfNumbers {
    /// How many names are kept; a run that meets more reads some of them again.
    private static let limit = 10_000

    /// A key without its number.
    private struct Name: Hashable {
        var stem: String
        /// With its dot; empty where there is none.
        var ending: String
    }

    private struct Taken {
        var numbers = RangeSet<Int>()
        /// Links to objects that have no row, since a catalog was restored.
        var strays: [Digest: [Int]] = [:]

        var lowestFree: Int {
            guard let first = numbers.ranges.first, first.lowerBound == 1 else { return 1 }
            return first.upperBound
        }
    }

    private var names: [Name: Taken] = [:]

    init() {}

    /// Reads which numbers of the names have rows, for those that are not known yet.
    mutating func read(_ database: Database, _ names: [LibraryName]) throws {
        if self.names.count > Self.limit { self.names.removeAll() }
        for name in names {
            let known = Name(stem: name.foldedStem, ending: name.foldedEnding)
            guard self.names[known] == nil else { continue }
            var numbers = try ShelfRow.has(database, key: name.key(1)) ? [1] : []
            try ShelfRow.forEachKey(database, beginning: "\(known.stem) ") { key in
                if let number = Self.number(in: key, of: known) { numbers.append(number) }
            }
            var taken = Taken()
            // In order, since each then lies at the end of the set.
            for number in numbers.sorted() { taken.numbers.insert(contentsOf: number..<(number + 1)) }
            self.names[known] = taken
        }
    }

    /// Takes the lowest number that is free.
    mutating func takeFree(_ name: LibraryName) -> Int {
        let known = Name(stem: name.foldedStem, ending: name.foldedEnding)
        let number = names[known, default: Taken()].lowestFree
        names[known, default: Taken()].numbers.insert(contentsOf: number..<(number + 1))
        take(name.key(number))
        return number
    }

    /// Takes a number whose file, which has no row, is a link to the object; `nil` where none is known.
    mutating func takeStray(_ name: LibraryName, _ digest: Digest) -> Int? {
        let known = Name(stem: name.foldedStem, ending: name.foldedEnding)
        guard var numbers = names[known]?.strays.removeValue(forKey: digest), !numbers.isEmpty else { return nil }
        let number = numbers.removeFirst()
        if !numbers.isEmpty { names[known]?.strays[digest] = numbers }
        return number
    }

    /// Remembers a number that is taken by a link to an object, which has no row.
    mutating func addStray(_ name: LibraryName, _ number: Int, _ digest: Digest) {
        let known = Name(stem: name.foldedStem, ending: name.foldedEnding)
        names[known, default: Taken()].strays[digest, default: []].append(number)
    }

    /// Frees the number of a row that is gone.
    mutating func release(_ key: String) {
        for (name, number) in Self.origins(of: key) {
            names[name]?.numbers.remove(contentsOf: number..<(number + 1))
        }
    }

    /// The second `a.pdf` has the key of the first `a (2).pdf`.
    private mutating func take(_ key: String) {
        for (name, number) in Self.origins(of: key) {
            names[name]?.numbers.insert(contentsOf: number..<(number + 1))
        }
    }

    /// Each name that has this key, with the number under which it has it.
    private static func origins(of key: String) -> [(Name, Int)] {
        // By bytes: some letters and the dot behind them are one character.
        let ends = key.utf8.indices.filter { key.utf8[$0] == UInt8(ascii: ".") } + [key.endIndex]
        return ends.flatMap { end in
            let (stem, ending) = (String(key[..<end]), String(key[end...]))
            guard let space = stem.utf8.lastIndex(of: UInt8(ascii: " ")) else {
                return [(Name(stem: stem, ending: ending), 1)]
            }
            let base = Name(stem: String(stem[..<space]), ending: ending)
            return [(Name(stem: stem, ending: ending), 1)] + (number(in: key, of: base).map { [(base, $0)] } ?? [])
        }
    }

    /// The number in a key that is the name's from the second on; `nil` for a key that ``LibraryName`` does not give.
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
