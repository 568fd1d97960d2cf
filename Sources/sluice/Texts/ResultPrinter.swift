import ContainerTools
import ShareModel
import SystemPackage

/// Prints packages one by one, as lines or as JSON. On a terminal, the lines are numbered; see ``ResultNumbers``.
struct ResultPrinter {
    let console: Console
    let json: Bool
    private(set) var count = 0
    private var numbers: ResultNumbers
    /// Whether the numbers can be saved. Otherwise none is printed.
    private var hasNumbers = false

    init(console: Console, json: Bool, container: FilePath) {
        self.console = console
        self.json = json
        numbers = ResultNumbers(of: container.absolute)
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
        if count == 0 { endNumbers() }
        if json {
            try console.print(json: ["package": value], flushing: false)
        } else if let columns = console.outputTerminal.columns {
            let lines = NumberColumn.before(
                lines(columns - NumberColumn.width), hasNumbers ? numbers.add(id) : nil)
            for line in lines { console.print(line, flushing: false) }
        } else {
            for line in lines(nil) { console.print(line, flushing: false) }
        }
        count += 1
        // A long list takes a while; its first line shows at once that there is one.
        if count == 1 { console.output.flush() }
        if console.isOutputGone { try console.finish() }
    }

    /// Remembers the numbers that were printed, and writes the rest of the output. After an empty list, those of the list before
    /// hold.
    mutating func finish() throws {
        if count > 0, hasNumbers { numbers.save() }
        try console.finish()
    }

    /// Ends the numbers of the list before; this one has none yet. The lines of the one before may be gone from the screen, also
    /// if this list breaks off or goes to a pipe, and `forget 3` would take another package than the one that the person sees.
    /// JSON in a pipe is no list of a person.
    private mutating func endNumbers() {
        let isAtTerminal = console.errorTerminal.columns != nil || Terminal.inputIsTerminal
        if console.isForPeople || isAtTerminal && !json { hasNumbers = numbers.save() && console.isForPeople && !json }
    }
}
