import ShareModel

/// Prints packages one after the other, as lines or as JSON.
struct EntryPrinter {
    let console: Console
    let json: Bool
    private(set) var count = 0

    init(console: Console, json: Bool) {
        self.console = console
        self.json = json
    }

    /// - Throws: ``OutputLost`` where nobody reads on.
    mutating func print(_ entry: PackageEntry) throws {
        if json {
            try console.print(json: ["package": entry], flushing: false)
        } else {
            console.print(EntryLine(entry: entry).line, flushing: false)
        }
        count += 1
        // The first line at once: a long list takes its time.
        if count == 1 { console.output.flush() }
        if console.isOutputGone { try console.finish() }
    }
}
