internal import GroupContainer

/// The deliveries that a worker has claimed: pending, in flight with the sink's process, and finished but not
/// committed.
struct DeliveryState {
    private struct InFlight {
        let claimed: ClaimedDelivery
        let isSuspect: Bool
    }

    /// Deliveries that the sink does not have yet, in reverse order: the next one is the last element.
    private var pending: [ClaimedDelivery] = []
    /// Deliveries that a process had when it died, in reverse order. Each is tried alone, which shows the deadly one.
    private var suspects: [ClaimedDelivery] = []
    private var inFlight: [String: InFlight] = [:]
    private var finished: [FinishedDelivery] = []
    private var firstFinish: ContinuousClock.Instant?

    /// How long a finished delivery waits for others to share its transaction.
    private static let flushTime = Duration.milliseconds(500)

    /// Whether no delivery is pending.
    var isEmpty: Bool { pending.isEmpty && suspects.isEmpty }

    // MARK: - Pending

    /// Adds claimed deliveries, the next one first.
    mutating func add(_ claimed: [ClaimedDelivery]) { pending = claimed.reversed() + pending }

    /// Adds deliveries that must be tried alone, before older suspects. A death shows which delivery was deadly only if
    /// it was the first one of its process.
    mutating func add(suspects claimed: [ClaimedDelivery]) { suspects += claimed.reversed() }

    /// Puts the next delivery in flight.
    ///
    /// - Parameter window: how many the process takes at once.
    /// - Returns: `nil` if none is pending, or if the process must answer first.
    mutating func next(window: Int) -> ClaimedDelivery? {
        if inFlight.isEmpty, let suspect = suspects.popLast() {
            inFlight[suspect.id] = InFlight(claimed: suspect, isSuspect: true)
            return suspect
        }
        let isRoomLeft = inFlight.count < window && !inFlight.values.contains(where: \.isSuspect)
        guard suspects.isEmpty, isRoomLeft, let next = pending.popLast() else { return nil }
        inFlight[next.id] = InFlight(claimed: next, isSuspect: false)
        return next
    }

    /// Removes all pending deliveries.
    mutating func removePending() -> [ClaimedDelivery] {
        defer { (pending, suspects) = ([], []) }
        return pending + suspects
    }

    // MARK: - In flight

    /// Removes a delivery in flight.
    mutating func remove(_ id: String) -> ClaimedDelivery? { inFlight.removeValue(forKey: id)?.claimed }

    /// Makes a delivery in flight pending again, as the next one. A suspect stays one.
    ///
    /// - Parameter isCertain: whether the sink surely has not taken it.
    mutating func putBack(_ id: String, isCertain: Bool = false) {
        guard let entry = inFlight.removeValue(forKey: id) else { return }
        var claimed = entry.claimed
        if isCertain { claimed.isUncertain = false }
        if entry.isSuspect { suspects.append(claimed) } else { pending.append(claimed) }
    }

    /// Makes a delivery in flight pending again, in the order of the others. The sink surely has not taken it.
    mutating func putBackInOrder(_ claimed: ClaimedDelivery) {
        guard inFlight.removeValue(forKey: claimed.id) != nil else { return }
        let place = pending.lastIndex { $0.seq > claimed.seq }.map { $0 + 1 } ?? 0
        pending.insert(claimed, at: place)
    }

    /// A delivery in flight.
    func claimed(_ id: String) -> ClaimedDelivery? { inFlight[id]?.claimed }

    /// Removes all deliveries in flight, because the process is gone. In the queue they are still open, with an unknown
    /// outcome.
    mutating func removeInFlight() { inFlight = [:] }

    // MARK: - Finished

    /// Adds a delivery whose ending must be committed.
    mutating func finish(_ delivery: FinishedDelivery) {
        firstFinish = firstFinish ?? .now
        finished.append(delivery)
    }

    /// Whether to commit the finished deliveries now: they have waited long enough for others, they are many, or no
    /// other delivery is in flight.
    var isDueForFlush: Bool {
        inFlight.isEmpty || finished.count >= DeliveryStore.claimLimit
            || firstFinish.map { ContinuousClock.now > $0 + Self.flushTime } ?? false
    }

    mutating func removeFinished() -> [FinishedDelivery] {
        defer { (finished, firstFinish) = ([], nil) }
        return finished
    }
}
