/// Tells a person's second Ctrl-C from an echo of the first one.
///
/// `timeout` of the GNU coreutils signals its child, and at once the whole process group again. A service manager may do the
/// same. If that counted as twice, such a run would lose its summary.
struct RepeatedSignal {
    enum Arrival {
        case first, echo, again
    }

    /// A later signal within this time of the first one is an echo.
    static let echo = Duration.milliseconds(500)

    private var first: ContinuousClock.Instant?

    mutating func take(at now: ContinuousClock.Instant) -> Arrival {
        guard let first else {
            first = now
            return .first
        }
        return first.duration(to: now) < Self.echo ? .echo : .again
    }
}
