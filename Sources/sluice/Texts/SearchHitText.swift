import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// A package that a search found, as one line, and a second one with the passage that was found:
///
///     4f3a12b0c9d1  2026-05-04  pdf           invoice.pdf  Downloads/Invoices
///         page 3: … for the invoice of May …
struct SearchHitText {
    let hit: SearchHit
    /// The width of the terminal; `nil` if there is none.
    var columns: Int?

    /// The columns before the name: all of them, and those of a narrow terminal.
    private static let before = (wide: 40, narrow: 26)
    private static let kindWidth = 12

    var lines: [StyledLine] {
        let entry = PackageEntryText(entry: hit.entry, columns: columns)
        let isNarrow = columns.map { $0 < Self.before.wide + 30 } ?? false
        let kind = StyledLine(hit.kind ?? "", .plain).padded(to: Self.kindWidth)
        let day: StyledLine = isNarrow ? "" : StyledLine(String(hit.date.prefix(10)), .plain).padded(to: 10) + "  "
        let room = columns.map { max(8, $0 - (isNarrow ? Self.before.narrow : Self.before.wide)) }
        let whole = SafeText.escape(name: entry.name)
        let name = room.map { DisplayWidth.fitMiddle(whole, columns: $0) } ?? whole
        let start: StyledLine = "\(ShortID.of(hit.entry.id), .dim)  \(day)\(kind)  \(name, .strong)"
        let rest = title + entry.rest + folder
        let facts =
            rest.width == 0 || columns.map { (start + rest).width <= $0 } ?? true
            ? [start + rest] : [start, "  " + rest.withoutMargin]
        return facts + passage
    }

    /// The title, if it says more than the name.
    private var title: StyledLine {
        guard let title = hit.foundTitle, title != hit.entry.title, !hit.entry.source.name.hasPrefix(title) else {
            return ""
        }
        return "  \("\u{201C}\(SafeText.escape(name: title).replacing("\u{201D}", with: "\""))\u{201D}", .dim)"
    }

    /// The folder of the source, from its last folders on.
    private var folder: StyledLine {
        guard hit.entry.source.kind != .standardInput, hit.entry.source.kind != .link else { return "" }
        let folders = hit.entry.source.path.split(separator: "/").dropLast().suffix(SearchHit.folderCount)
        return folders.isEmpty ? "" : "  \(name: folders.joined(separator: "/"), .dim)"
    }

    private var passage: [StyledLine] {
        guard let snippet = hit.snippet else { return [] }
        var line: StyledLine = "    "
        if let page = snippet.page { line += "\("page \(page): ", .dim)" }
        if snippet.source != "text" { line += "\("\(snippet.source): ", .dim)" }
        for part in snippet.parts { line += "\(part.text, part.isHit ? .warning : .plain)" }
        return [line]
    }
}

/// Prints the results of a search one by one, as lines or as JSON.
struct HitPrinter {
    let console: Console
    let json: Bool
    private(set) var count = 0
    private var numbers: ResultNumbers

    init(console: Console, json: Bool, container: FilePath) {
        self.console = console
        self.json = json
        numbers = ResultNumbers(of: container)
    }

    /// - Throws: ``OutputLost`` if the reader closed standard output.
    mutating func print(_ hit: SearchHit) throws {
        if json {
            try console.print(json: ["package": hit], flushing: false)
        } else {
            let text = SearchHitText(hit: hit, columns: console.outputTerminal.columns.map { $0 - NumberColumn.width })
            let lines = console.isForPeople ? NumberColumn.before(text.lines, numbers.add(hit.entry.id)) : text.lines
            for line in lines { console.print(line, flushing: false) }
        }
        count += 1
        // The first hit shows at once.
        if count == 1 { console.output.flush() }
        if console.isOutputGone { try console.finish() }
    }

    /// Remembers the numbers that were printed, and writes the rest of the output.
    func finish() throws {
        if console.isForPeople { numbers.save() }
        try console.finish()
    }
}
