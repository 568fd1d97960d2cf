import ContainerTools
import Ingestion
import ShareModel

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
        return "  \(PackageEntryText.quoted(SafeText.escape(name: title)), .dim)"
    }

    /// The folder of the source, from its last folders on.
    private var folder: StyledLine {
        guard hit.entry.source.kind != .standardInput, hit.entry.source.kind != .link else { return "" }
        let folders = hit.entry.source.path.split(separator: "/").dropLast()
        let last = folders.suffix(SearchHit.folderCount)
        let start = last.count < folders.count ? "…/" : hit.entry.source.path.hasPrefix("/") ? "/" : ""
        return last.isEmpty ? "" : "  \(name: start + last.joined(separator: "/"), .dim)"
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
