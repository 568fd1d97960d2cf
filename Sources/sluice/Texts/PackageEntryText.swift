import Ingestion
import ShareModel

/// A package of the container as one line:
///
///     4f3a12b0c9d1  2026-05-04 10:11  accepted     42 KB  invoice.pdf
struct PackageEntryText {
    let entry: PackageEntry

    var line: StyledLine {
        let size = Units.bytes(entry.bytes)
        let indent = String(repeating: " ", count: max(0, 10 - size.utf8.count))
        var line: StyledLine =
            "\(ShortID.of(entry.id), .dim)  \(minute)  \(entry.outcome.column)  \(indent)\(size)  \(name: name)"
        if let reason = entry.reason, entry.outcome != .accepted { line += "  \(entry.source.shortened(reason), .dim)" }
        if entry.lost != nil { line += "  \("content is lost", .bad)" }
        if let later = entry.supersededBy { line += "  \("replaced by \(ShortID.of(later))", .dim)" }
        return line
    }

    private var name: String {
        entry.source.kind == .standardInput ? entry.title ?? entry.source.text : entry.source.name
    }

    /// `2026-05-04T10:11:12Z` as `2026-05-04 10:11`, still in UTC.
    private var minute: String { entry.received.prefix(16).split(separator: "T").joined(separator: " ") }
}

/// Prints packages one by one, as lines or as JSON.
struct EntryPrinter {
    let console: Console
    let json: Bool
    private(set) var count = 0

    init(console: Console, json: Bool) {
        self.console = console
        self.json = json
    }

    /// - Throws: ``OutputLost`` if the reader closed standard output.
    mutating func print(_ entry: PackageEntry) throws {
        if json {
            try console.print(json: ["package": entry], flushing: false)
        } else {
            console.print(PackageEntryText(entry: entry).line, flushing: false)
        }
        count += 1
        // A long list takes a while; its first line shows at once that there is one.
        if count == 1 { console.output.flush() }
        if console.isOutputGone { try console.finish() }
    }
}
