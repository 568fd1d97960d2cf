import ShareModel

/// A delivery as one line.
struct DeliveryText {
    let record: DeliveryRecord
    /// See ``SummaryText/containerOption``.
    var containerOption: StyledLine = ""

    /// `delivered   pdf-import   4f3a12b0c9d1`
    var line: StyledLine {
        let outcome: StyledLine = "\(record.outcome.rawValue, record.outcome.style)"
        let head: StyledLine = "\(outcome.padded(to: 11))  \(record.sink)  \(ShortID.of(record.id), .dim)"
        return record.why.map { "\(head)  \($0)" } ?? head
    }

    /// The reason of a failure, and the command that tries again.
    var trouble: StyledLine {
        let why = record.why ?? "the sink gave no reason"
        return "\("✗ \(record.sink) \(record.outcome.rawValue)", .bad): \(why) — again: "
            + "sluice deliver --retry \(ShortID.of(record.id))\(containerOption)"
    }
}

/// The open deliveries of one sink as one line.
struct OpenDeliveriesText {
    let open: OpenDeliveries
    /// In milliseconds since 1970.
    let now: Int64

    /// `3 deliveries wait for upload, for 12 s: the service does not answer`
    var line: StyledLine {
        let head: StyledLine =
            "\(Units.count(open.count, "delivery")) \(open.count == 1 ? "waits" : "wait") for \(open.sink)"
        let time: StyledLine = open.due > now ? ", for \(Units.duration(.milliseconds(open.due - now)))" : ""
        return open.why.map { "\(head)\(time): \($0)" } ?? "\(head)\(time)"
    }
}
