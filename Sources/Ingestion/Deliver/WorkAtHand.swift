internal import GroupContainer

/// What a line of work has claimed: what waits, what must be tried alone, and what its process has just now.
struct WorkAtHand {
    /// Not handed over yet; the next one comes last.
    private var waiting: [ClaimedDelivery] = []
    /// Those whose sink died while it had them; the next one comes last.
    private var suspects: [ClaimedDelivery] = []
    var flight = Flight()
    /// Whether the process has a suspect, and so nothing else.
    private var hasSuspect = false

    /// Whether nothing is left to be handed over.
    var isEmpty: Bool { waiting.isEmpty && suspects.isEmpty }

    /// Takes deliveries that were claimed, the first to be handed over first.
    mutating func add(_ claimed: [ClaimedDelivery]) { waiting = claimed.reversed() + waiting }

    /// Takes deliveries that are to be tried alone.
    mutating func suspect(_ deliveries: [ClaimedDelivery]) { suspects = deliveries.reversed() + suspects }

    /// The next to be handed over to a process that takes `window` at once; `nil` where it has to answer first.
    mutating func next(window: Int) -> ClaimedDelivery? {
        if flight.isEmpty {
            hasSuspect = !suspects.isEmpty
            return suspects.popLast() ?? waiting.popLast()
        }
        guard !hasSuspect, suspects.isEmpty, flight.count < window else { return nil }
        return waiting.popLast()
    }

    /// One that was taken and could not be handed over.
    mutating func putFirst(_ delivery: ClaimedDelivery) { waiting.append(delivery) }

    /// Takes out all that was not handed over.
    mutating func removeAll() -> [ClaimedDelivery] {
        defer { (waiting, suspects) = ([], []) }
        return waiting + suspects
    }
}
