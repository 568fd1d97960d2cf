import Ingestion
import ShareModel
import SystemPackage

/// A package of the container as one line:
///
///     4f3a12b0c9d1  2026-05-04 10:11  accepted     42 KB  invoice.pdf
///
/// The time is that of the user's zone. On a terminal, a long name is cut in its middle. What does not fit beside the
/// name is below it. A narrow terminal shows neither time nor size.
struct PackageEntryText {
    let entry: PackageEntry
    /// The width of the terminal; `nil` if there is none.
    var columns: Int?

    /// The columns before the name: all of them, and those of a narrow terminal.
    private static let before = (wide: 55, narrow: 25)
    /// The columns of a title behind a name, on a terminal.
    private static let titleWidth = 40

    var lines: [StyledLine] {
        let (start, rest) = (start, rest)
        guard let columns, rest.width > 0, (start + rest).width > columns else { return [start + rest] }
        return [start, "  " + rest.withoutMargin]
    }

    private var start: StyledLine {
        let isNarrow = columns.map { $0 < Self.before.wide + 20 } ?? false
        let size = Units.bytes(entry.bytes)
        let indent = String(repeating: " ", count: max(0, 10 - size.utf8.count))
        let time: StyledLine = isNarrow ? "" : "\(LocalTime.minute(entry.received))  "
        let bytes: StyledLine = isNarrow ? "" : "\(indent)\(size)  "
        let room = columns.map { max(8, $0 - (isNarrow ? Self.before.narrow : Self.before.wide)) }
        let shown = SafeText.escape(name: self.name)
        let name = room.map { DisplayWidth.fitMiddle(shown, columns: $0) } ?? shown
        return "\(ShortID.of(entry.id), .dim)  \(time)\(entry.outcome.column)  \(bytes)\(name)"
    }

    /// The title, the reason, and what else is to be said.
    var rest: StyledLine {
        var line: StyledLine = ""
        if hasName, let title = entry.title.map(SafeText.escape(name:)), title != entry.source.name {
            // A quotation mark inside of the title would end it.
            let whole = title.replacing("\u{201D}", with: "\"")
            let shown = columns == nil ? whole : DisplayWidth.fitMiddle(whole, columns: Self.titleWidth)
            line += "  \("\u{201C}\(shown)\u{201D}", .dim)"
        }
        if let reason = entry.reason, entry.outcome != .accepted { line += "  \(entry.source.shortened(reason), .dim)" }
        if let later = entry.alsoNamed { line += "  \("also named", .dim) \(name: later, .dim)" }
        if let more = entry.moreNames { line += " \("and \(Units.grouped(more)) more", .dim)" }
        if let tags = entry.tags { line += "  \(name: tags.map { "#\($0)" }.joined(separator: " "), .dim)" }
        if let lost = entry.lost {
            line += "  \("\(Units.count(lost, "object")) \(lost == 1 ? "is" : "are") lost", .bad)"
        }
        if let later = entry.supersededBy { line += "  \("replaced by \(ShortID.of(later))", .dim)" }
        return line
    }

    private var hasName: Bool { entry.source.kind != .standardInput && entry.source.kind != .submitted }

    /// The name by which a person knows the package.
    var name: String {
        hasName ? entry.source.name : entry.title ?? entry.name.map(InventedName.words) ?? entry.source.text
    }
}

/// Prints packages one by one, as lines or as JSON.
struct EntryPrinter {
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
    mutating func print(_ entry: PackageEntry) throws {
        if json {
            try console.print(json: ["package": entry], flushing: false)
        } else {
            let text = PackageEntryText(
                entry: entry, columns: console.outputTerminal.columns.map { $0 - NumberColumn.width })
            let lines = console.isForPeople ? NumberColumn.before(text.lines, numbers.add(entry.id)) : text.lines
            for line in lines { console.print(line, flushing: false) }
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
