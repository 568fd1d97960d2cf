/// Kills a sink that lets a clock run out. Waiting for a sink's line needs no clock of its own: a killed sink ends it.
actor Watchdog {
    private var deadline: ContinuousClock.Instant?
    private var words = ""
    /// Why the sink was killed; `nil` as long as it was not.
    private(set) var verdict: String?

    /// How often the clocks are looked at.
    private static let interval = Duration.milliseconds(200)
    /// What a sink has between the polite signal and the last one.
    static let grace = Duration.seconds(3)

    /// Starts a clock, in place of the one that ran; `what` says for what.
    func allow(_ duration: Duration, for what: String) {
        deadline = .now + duration
        words = "no \(what) within \(duration.formatted())"
    }

    /// Stops the clock: nothing is awaited.
    func rest() { deadline = nil }

    /// Watches until it is canceled or a clock has run out.
    func watch(kill: @Sendable () async -> Void) async {
        while verdict == nil {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            if let deadline, deadline < .now {
                verdict = words
                await kill()
            }
        }
    }
}

extension Duration {
    fileprivate func formatted() -> String { "\(components.seconds) seconds" }
}
