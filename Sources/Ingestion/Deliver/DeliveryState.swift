internal import GroupContainer

/// The deliveries that a worker has claimed: pending, in flight with the sink's process, and finished but not committed.
struct DeliveryState {
    private struct InFlight {
        let claimed: ClaimedDelivery
        let isSuspect: Bool
    }

    /// Not handed over yet. The next one is the last.
    private var pending: [ClaimedDelivery] = []
    /// Deliveries that a process had when it died. Each is tried alone, so that the deadly one shows. The next one is the last.
    private var suspects: [ClaimedDelivery] = []
    private var inFlight: [String: InFlight] = [:]
    private var finished: [FinishedDelivery] = []
    private var firstFinish: ContinuousClock.Instant?

    /// How long a finished delivery waits for others to share its transaction.
    private static let flushTime = Duration.milliseconds(500)

    /// Whether no delivery is left to be handed over.
    var isEmpty: Bool { pending.isEmpty && suspects.isEmpty }

    // MARK: - Pending

    /// Adds claimed deliveries, in the order in which they are to be handed over.
    mutating func add(_ claimed: [ClaimedDelivery]) { pending = claimed.reversed() + pending }

    /// Adds deliveries that must be tried alone, before older suspects: only a death of the first delivery of a process shows
    /// which one was deadly.
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

    /// Takes all deliveries that were not handed over.
    mutating func removePending() -> [ClaimedDelivery] {
        defer { (pending, suspects) = ([], []) }
        return pending + suspects
    }

    // MARK: - In flight

    /// Takes a delivery out of the flight.
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

    /// Ends the flight: the process is gone. The queue still has these deliveries as open, with an unknown outcome.
    mutating func removeInFlight() { inFlight = [:] }

    // MARK: - Finished

    /// Adds a delivery whose ending must be committed.
    mutating func finish(_ delivery: FinishedDelivery) {
        firstFinish = firstFinish ?? .now
        finished.append(delivery)
    }

    /// Whether the finished deliveries have waited long enough for others, or are many, or no other can follow soon.
    var isDueForFlush: Bool {
        inFlight.isEmpty || finished.count >= DeliveryStore.claimLimit
            || firstFinish.map { ContinuousClock.now > $0 + Self.flushTime } ?? false
    }

    mutating func removeFinished() -> [FinishedDelivery] {
        defer { (finished, firstFinish) = ([], nil) }
        return finished
    }
}
