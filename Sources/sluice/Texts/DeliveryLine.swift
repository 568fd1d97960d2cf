import ShareModel

/// A delivery in a line.
struct DeliveryLine {
    let record: DeliveryRecord
    /// See ``SummaryText/containerOption``.
    var containerOption: Line = ""

    /// `delivered   pdf-import   4f3a12b0c9d1`
    var line: Line {
        let outcome: Line = "\(record.outcome.rawValue, record.outcome.style)"
        let head: Line = "\(outcome.padded(to: 11))  \(record.sink)  \(ShortID.of(record.id), .dim)"
        return record.why.map { "\(head)  \($0)" } ?? head
    }

    /// What went wrong, and what to do.
    var trouble: Line {
        let why = record.why ?? "the sink gave no reason"
        return "\("✗ \(record.sink) \(record.outcome.rawValue)", .bad): \(why) — again: "
            + "sluice deliver --retry \(ShortID.of(record.id))\(containerOption)"
    }
}
