internal import ShareModel

/// Collects aliases and subtype relations while the tables are read. Earlier tables have precedence.
struct TypeRelations {
    private var names = TypeNames(capacity: 2048)
    private var aliases: [Int?] = []
    private var edges: [(child: Int, parent: Int)] = []

    /// Adds `text/plain`, which every graph needs.
    init() { _ = number(of: Array(MediaType.plainText.description.utf8)[...]) }

    /// Adds lines `alias type`. An alias keeps its first meaning.
    mutating func add(aliases lines: MIMELines) {
        lines.forEachPair { alias, type in
            let (alias, type) = (number(of: alias), number(of: type))
            if alias != type, aliases[alias] == nil { aliases[alias] = type }
        }
    }

    /// Adds lines `type parent`.
    mutating func add(subclasses lines: MIMELines) {
        lines.forEachPair { child, parent in
            edges.append((number(of: child), number(of: parent)))
        }
    }

    /// Adds the program's own tables. If an earlier table has a name as a type, the name does not become an alias.
    mutating func addBundled(isKnown: (ArraySlice<UInt8>) -> Bool) {
        let known = names.count
        BundledMIME.aliases.forEachPair { name, type in
            let (alias, type) = (number(of: name), number(of: type))
            let isType = alias < known || isKnown(name)
            if alias != type, aliases[alias] == nil, !isType { aliases[alias] = type }
        }
        add(subclasses: BundledMIME.subclasses)
    }

    func graph() -> TypeGraph { TypeGraph(names: names, aliases: aliases, edges: edges) }

    private mutating func number(of name: ArraySlice<UInt8>) -> Int {
        let number = names.insert(name)
        while aliases.count < names.count { aliases.append(nil) }
        return number
    }
}
