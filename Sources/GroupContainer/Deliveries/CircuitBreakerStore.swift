package import ShareModel

/// Keeps the circuit breakers of the sinks. A sink that failed several times in a row pauses until a time. Calls block
/// their thread.
///
/// Times are in milliseconds since 1970, from the caller's clock.
public protocol CircuitBreakerStore: Sendable {
    /// The sink's pause; `nil` if it has none.
    func held(_ sink: String) throws -> HeldSink?

    /// Pauses a sink until a time, and replaces an earlier pause. A value with 0 failures only keeps a reason to show,
    /// which lasts until the next claim.
    func hold(_ sink: HeldSink) throws

    /// Ends a sink's pause, if it has one.
    func release(sink: String) throws

    /// Ends every pause that lasts until `time` or longer.
    func release(from time: Int64) throws
}

/// A sink that fails as a whole and pauses, or that only has a reason to show.
public struct HeldSink: Sendable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// The number of pauses in a row, without a success in between; 0 if there is only a reason to show.
    public var failures: Int
    /// The end of the pause.
    public var due: Int64
    /// The reason, in words for people.
    public var why: String

    /// A pause with all its values.
    public init(sink: String, failures: Int, due: Int64, why: String) {
        self.sink = sink
        self.failures = failures
        self.due = due
        self.why = why
    }

    /// Whether the sink pauses, or paused before its next success. Otherwise there is only a reason to show.
    package var isPause: Bool { failures > 0 }

    /// The reason to show for an open delivery of the sink.
    ///
    /// A pause follows from failures such as the delivery's own, so it shows only if the delivery has no reason. Any
    /// other reason stands behind that of the delivery's last failure.
    package func reason(beside own: String?) -> String {
        guard let own else { return why }
        return isPause ? own : "\(own); \(why)"
    }
}

extension Container {
    /// Claims open deliveries, as ``DeliveryQueue/claim(sink:owner:now:limit:as:)`` does; none while the sink pauses.
    ///
    /// After a pause the sink gets a single delivery as a trial. It counts as failing until
    /// ``CircuitBreakerStore/release(sink:)``.
    package func claim(sink: String, now: Int64, limit: Int, as login: AccountUser? = nil) throws -> [ClaimedDelivery] {
        let held = try breakers.held(sink)
        if let held, held.due > now { return [] }
        let failures = held?.failures ?? 0
        // Without failures the row only has a reason to show, which a claim makes out of date. It goes before the claim:
        // an error after the claim would leave attempts on record that no sink got.
        if held != nil, failures == 0, try isDue(sink, now) { try breakers.release(sink: sink) }
        let claimed = try deliveries.claim(
            sink: sink, owner: owner, now: now, limit: failures > 0 ? 1 : limit, as: login)
        return claimed.map { delivery in
            var delivery = delivery
            delivery.troubles = failures
            return delivery
        }
    }

    private func isDue(_ sink: String, _ now: Int64) throws -> Bool {
        try deliveries.open().contains { $0.sink == sink && $0.due <= now }
    }

    /// Whether one of these packages has a due delivery whose sink does not pause.
    package func isOpen(anyOf packages: [String], now: Int64) throws -> Bool {
        try deliveries.openSinks(of: packages, now: now).contains { try breakers.held($0)?.due ?? 0 <= now }
    }

    /// The open deliveries of each sink, in the order of the sinks' names, with the pauses of the sinks.
    package func openDeliveries() throws -> [OpenDeliveries] {
        try deliveries.open().map { open in
            guard let held = try breakers.held(open.sink) else { return open }
            var open = open
            // A due delivery still waits for the end of its sink's pause.
            open.due = max(open.due, held.due)
            open.why = held.isPause ? held.why : held.reason(beside: open.why)
            return open
        }
    }

    /// Ends the waits that last until `time` or longer: open deliveries become due at `now`, and pauses end.
    ///
    /// A delivery that is due already keeps its time, so it comes before those that were tried after it. Otherwise each
    /// run would begin with the same ones, and a sink that fails for them would pause before it gets the others.
    package func endWaits(from time: Int64 = 0, now: Int64) throws {
        try deliveries.makeDue(from: max(time, now + 1), now: now)
        try breakers.release(from: time)
    }
}
