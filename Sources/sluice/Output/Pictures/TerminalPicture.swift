/// A picture for a terminal.
struct TerminalPicture: Equatable {
    /// The rows that it covers.
    var rows: Int
    /// The bytes that show it at the cursor. They may move the cursor, at most to the row below the picture.
    var bytes: [UInt8]

    /// Blank lines that make room for the picture. The last one carries it.
    var lines: [StyledLine] {
        guard rows > 0 else { return [] }
        var last: StyledLine = ""
        last.picture = self
        return Array(repeating: "", count: rows - 1) + [last]
    }

    /// The bytes that show the picture over the rows above the cursor.
    ///
    /// Terminals differ in where a picture leaves the cursor, so its place is saved before (ECMA-48, 8.3.22 and 8.3.20; DECSC
    /// and DECRC). All rows are there by then, so that nothing scrolls.
    func overRowsAbove(column: Int) -> [UInt8] {
        let right = column > 0 ? "\u{1B}[\(column)C" : ""
        return Array("\u{1B}7\u{1B}[\(rows)A\(right)".utf8) + bytes + Array("\u{1B}8".utf8)
    }
}
