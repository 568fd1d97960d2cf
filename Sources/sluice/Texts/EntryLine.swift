import Ingestion
import ShareModel

/// A package of the container in a line:
///
///     4f3a12b0c9d1  2026-05-04 10:11  accepted     42 KB  invoice.pdf
struct EntryLine {
    let entry: PackageEntry

    var line: Line {
        let size = Units.bytes(entry.bytes)
        let indent = String(repeating: " ", count: max(0, 10 - size.utf8.count))
        var line: Line =
            "\(ShortID.of(entry.id), .dim)  \(minute)  \(entry.outcome.column)  \(indent)\(size)  \(name: name)"
        if let reason = entry.reason, entry.outcome != .accepted { line += "  \(entry.source.shortened(reason), .dim)" }
        if entry.lost != nil { line += "  \("content is lost", .bad)" }
        if let later = entry.supersededBy { line += "  \("replaced by \(ShortID.of(later))", .dim)" }
        return line
    }

    private var name: String {
        entry.source.kind == .standardInput ? entry.title ?? entry.source.text : entry.source.name
    }

    /// `2026-05-04T10:11:12Z` up to the minute, in UTC as it is.
    private var minute: String { entry.received.prefix(16).split(separator: "T").joined(separator: " ") }
}
