public import ShareModel

/// The time at which a call drives open deliveries.
public enum DeliveryPace: Sendable {
    /// Drives all at once, also those that are due later, and those of paused sinks.
    case now
    /// Drives only those that are due.
    case due
    /// Drives each one when it is due, until none is open that a wait can make. A sink that is absent, or that the run
    /// cannot start, needs a person.
    case wait
}

/// A delivery that ended, for the listener of a run.
public struct DeliveryReport: Sendable {
    /// The delivery as it is on record.
    public var record: DeliveryRecord
    /// The identifier of its package; `nil` if the record of the package is damaged, or if the listener was so slow that the run
    /// kept only the delivery's number.
    public var package: String?
    /// The name of its content, or the address of a link; `nil` as ``package``.
    public var name: String?

    /// A report with the given values.
    public init(record: DeliveryRecord, package: String? = nil, name: String? = nil) {
        (self.record, self.package, self.name) = (record, package, name)
    }
}

/// The result of driving open deliveries.
public struct DeliveryResult: Sendable {
    /// The number of deliveries that ended, by outcome, and of those that are still open.
    public var deliveries: Summary.Deliveries
    /// The open deliveries of each sink: their number, the time when the next one is due, and the reason.
    public var open: [OpenDeliveries]

    /// A result with the given values.
    ///
    /// - Parameter ended: the deliveries that ended. Its number of pending ones is replaced by that of `open`, because a
    ///   delivery may have been left open several times.
    public init(ended: Summary.Deliveries, open: [OpenDeliveries]) {
        (deliveries, self.open) = (ended, open)
        deliveries.pending = open.reduce(0) { $0 + $1.count }
    }
}

/// Counts deliveries as they end.
actor DeliveryCount {
    private(set) var total = Summary.Deliveries()

    func add(_ record: DeliveryRecord) { total.add(record.outcome) }
}
