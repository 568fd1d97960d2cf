import ShareModel

/// What a sink still has to get, in a line.
struct WaitingLine {
    let open: OpenDeliveries
    /// In milliseconds since 1970.
    let now: Int64

    /// `3 deliveries wait for upload, for 12 s: the service does not answer`
    var line: Line {
        let head: Line = "\(Units.count(open.count, "delivery")) \(open.count == 1 ? "waits" : "wait") for \(open.sink)"
        let time: Line = open.due > now ? ", for \(Units.duration(.milliseconds(open.due - now)))" : ""
        return open.why.map { "\(head)\(time): \($0)" } ?? "\(head)\(time)"
    }
}
