import Ingestion
import ShareModel

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
            let shown = columns == nil ? title : DisplayWidth.fitMiddle(title, columns: Self.titleWidth)
            line += "  \(Self.quoted(shown), .dim)"
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

    /// A title in quotation marks. One inside of the title would end it.
    static func quoted(_ title: String) -> String {
        "\u{201C}\(title.replacing("\u{201D}", with: "\""))\u{201D}"
    }

    private var hasName: Bool { entry.source.kind != .standardInput && entry.source.kind != .submitted }

    /// The name by which a person knows the package.
    var name: String {
        hasName ? entry.source.name : entry.title ?? entry.name.map(InventedName.words) ?? entry.source.text
    }
}
