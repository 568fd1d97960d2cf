import ContainerTools
import ShareModel
import SystemPackage

/// Prints packages one by one, as lines or as JSON. On a terminal, the lines are numbered; see ``ResultNumbers``.
struct ResultPrinter {
    let console: Console
    let json: Bool
    private(set) var count = 0
    private var numbers: ResultNumbers

    init(console: Console, json: Bool, container: FilePath) {
        self.console = console
        self.json = json
        numbers = ResultNumbers(of: container.absolute)
        // At a terminal, the last list is now one without numbers, and those of the list before would name other packages.
        if !console.isForPeople, console.errorTerminal.columns != nil { numbers.save() }
    }

    /// - Throws: ``OutputLost`` if the reader closed standard output.
    mutating func print(_ entry: PackageEntry) throws {
        try print(entry, entry.id) { PackageEntryText(entry: entry, columns: $0).lines }
    }

    /// - Throws: ``OutputLost`` if the reader closed standard output.
    mutating func print(_ hit: SearchHit) throws {
        try print(hit, hit.entry.id) { SearchHitText(hit: hit, columns: $0).lines }
    }

    /// - Parameter lines: called with the columns of the terminal behind the number; `nil` if there is no terminal.
    private mutating func print(_ value: some Encodable, _ id: String, _ lines: (Int?) -> [StyledLine]) throws {
        if json {
            try console.print(json: ["package": value], flushing: false)
        } else if let columns = console.outputTerminal.columns {
            let lines = NumberColumn.before(lines(columns - NumberColumn.width), numbers.add(id))
            for line in lines { console.print(line, flushing: false) }
        } else {
            for line in lines(nil) { console.print(line, flushing: false) }
        }
        count += 1
        // A long list takes a while; its first line shows at once that there is one.
        if count == 1 { console.output.flush() }
        if console.isOutputGone { try console.finish() }
    }

    /// Remembers the numbers that were printed, and writes the rest of the output.
    func finish() throws {
        if console.isForPeople { numbers.save() }
        try console.finish()
    }
}
