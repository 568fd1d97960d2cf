/// Decides when a sink that keeps failing is paused. After a pause one delivery is a trial of the sink.
struct CircuitBreaker {
    /// The number of consecutive failures after which the sink is paused. Then the sink is at fault, and not its
    /// deliveries.
    static let failureLimit = 8

    /// Failures since the last success or pause.
    private var failures = 0
    /// Consecutive pauses without a success, those of earlier runs included.
    private(set) var pauses = 0
    private var isPaused = false

    /// Ends the pause, because deliveries were claimed.
    ///
    /// - Parameter recorded: the number of consecutive pauses on record. With at least one, the first delivery is a
    ///   trial.
    mutating func begin(pauses recorded: Int) {
        pauses = max(pauses, recorded)
        isPaused = false
    }

    /// - Returns: whether pauses are on record, which the caller must remove.
    mutating func succeed() -> Bool {
        failures = 0
        defer { pauses = 0 }
        return pauses > 0
    }

    /// - Returns: whether the sink must be paused: it failed too often, or it failed its trial.
    mutating func fail() -> Bool {
        failures += 1
        return !isPaused && (failures >= Self.failureLimit || pauses > 0)
    }

    mutating func pause() {
        (failures, isPaused) = (0, true)
        pauses += 1
    }
}
