package import ShareModel

/// The circuit breakers of the sinks: which sink rests, until when and why. Calls block their thread.
///
/// Times are in milliseconds since 1970, from the caller's clock.
public protocol CircuitBreakerStore: Sendable {
    /// The sink's rest; `nil` for one that works.
    func held(_ sink: String) throws -> HeldSink?

    /// Lets a sink rest until a time: its open deliveries wait, and say why. Replaces the rest that it has.
    ///
    /// With no failures there is only the reason, until the next claim.
    func hold(_ sink: HeldSink) throws

    /// Ends a sink's rest.
    func release(sink: String) throws

    /// Ends every sink's rest.
    func releaseAll() throws
}

/// A sink that keeps failing as a whole, and rests.
public struct HeldSink: Sendable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// How often it failed without a success in between.
    public var failures: Int
    /// Until when it rests.
    public var due: Int64
    /// What is wrong, for those who ask why their deliveries wait.
    public var why: String

    /// A sink at rest.
    public init(sink: String, failures: Int, due: Int64, why: String) {
        self.sink = sink
        self.failures = failures
        self.due = due
        self.why = why
    }
}

extension Container {
    /// Hands out open deliveries, as ``DeliveryQueue/claim(sink:owner:now:limit:)`` does, unless the sink rests.
    ///
    /// A sink that failed before gets a single delivery when its rest is over, as a trial. It still counts as failing until
    /// ``CircuitBreakerStore/release(sink:)``.
    package func claim(sink: String, now: Int64, limit: Int) throws -> [ClaimedDelivery] {
        let held = try breakers.held(sink)
        if let held, held.due > now { return [] }
        let failures = held?.failures ?? 0
        let claimed = try deliveries.claim(sink: sink, owner: owner, now: now, limit: failures > 0 ? 1 : limit)
        guard let held, !claimed.isEmpty else { return claimed }
        if held.failures == 0 { try breakers.release(sink: sink) }
        return claimed.map { delivery in
            var delivery = delivery
            delivery.troubles = failures
            return delivery
        }
    }

    /// Whether a delivery of one of these packages is open, and may be tried by now.
    package func isOpen(anyOf packages: [String], now: Int64) throws -> Bool {
        try deliveries.openSinks(of: packages, now: now).contains { try breakers.held($0)?.due ?? 0 <= now }
    }

    /// What is still open, sink by sink, in the order of their names; with the rests of the sinks.
    package func openDeliveries() throws -> [OpenDeliveries] {
        try deliveries.open().map { open in
            guard let held = try breakers.held(open.sink) else { return open }
            var open = open
            open.due = max(open.due, held.due)
            open.why = held.why
            return open
        }
    }

    /// Makes every open delivery due now, and ends every sink's rest.
    package func hurry() throws {
        try deliveries.hurry()
        try breakers.releaseAll()
    }
}
