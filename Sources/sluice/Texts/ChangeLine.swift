import ShareModel

/// A change in a line:
///
///     12  package     4f3a12b0c9d1  accepted
///     13  delivery    9487fcd98633  delivered  pdf-import, of 4f3a12b0c9d1
struct ChangeLine {
    let change: ChangeEntry

    var line: Line {
        let kind: Line = "\(change.kind)"
        var line: Line = "\(change.number)  \(kind.padded(to: 10))  \(ShortID.of(change.id), .dim)"
        if let outcome = change.outcome { line += "  \(outcome)" }
        if let sink = change.sink { line += "  \(sink)" }
        if let package = change.package { line += "  \("of \(ShortID.of(package))", .dim)" }
        return line
    }
}
