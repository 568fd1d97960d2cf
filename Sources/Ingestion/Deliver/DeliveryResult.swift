public import ShareModel

/// Which of the open deliveries are driven.
public enum DeliveryPace: Sendable {
    /// All, also those that wait, and of sinks that rest.
    case now
    /// Those whose time has come.
    case due
    /// All, each when its time has come; ends when none is open any more.
    case wait
}

/// What became of the open deliveries.
public struct DeliveryResult: Sendable {
    /// Those that ended, by outcome, and how many are open still.
    public var deliveries: Summary.Deliveries
    /// What is open still, sink by sink: until when, and why.
    public var open: [OpenDeliveries]
}

/// Counts deliveries as they end.
actor DeliveryCount {
    private(set) var total = Summary.Deliveries()

    func add(_ record: DeliveryRecord) { total.add(record.outcome) }
}
