internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost

/// The wait between two rounds of deliveries, until one can be tried.
struct DeliveryWait: Sendable {
    /// The time until the next round if deliveries are due that the last round did not make.
    private static let lookInterval = Duration.seconds(10)

    private let container: Container
    private let registry: SinkRegistry
    private let accounts: AccountBook
    private let clock: Clock

    init(_ container: Container, _ registry: SinkRegistry, _ accounts: AccountBook, _ clock: Clock) {
        (self.container, self.registry, self.accounts, self.clock) = (container, registry, accounts, clock)
    }

    /// Waits until a delivery is due, or until any process adds one.
    ///
    /// - Parameters:
    ///   - known: the newest delivery before the last round. If there is a newer one, the wait ends at once.
    ///   - obstructed: the sinks that the last round could not start; see ``DeliveryService/obstructed``.
    /// - Returns: `false` if none is open, or if the task was canceled. A delivery whose sink is absent or obstructed
    ///   does not count, nor one that needs a person first, because the wait for it would never end.
    func wait(after known: Int64, except obstructed: Set<String>) async throws -> Bool {
        // The watch begins before the first look, so it reports each change after that look. Without one, this run
        // notices new deliveries at its next round.
        let watch = try? container.layout.watchChanges()
        let look = try await BlockingCall.run {
            (newest: try container.deliveries.newest(), rest: try rest(except: obstructed))
        }
        guard let rest = look.rest else { return false }
        guard look.newest == known else { return true }
        guard let watch else {
            do { try await Task.sleep(for: min(rest, Self.lookInterval)) } catch { return false }
            return true
        }
        return try await withTaskCancellationHandler {
            try await BlockingCall.run { try wait(rest, watch, known, obstructed) }
        } onCancel: {
            watch.stop()
        }
    }

    private func wait(_ rest: Duration, _ watch: FileWatch, _ known: Int64, _ obstructed: Set<String>) throws -> Bool {
        let deadline = ContinuousClock.now + rest
        while true {
            switch try watch.wake(atMost: deadline - .now) {
            case .stopped: return false
            case .timedOut: return true
            // Most changes are no reason for a round, such as packages without deliveries.
            case .written:
                if try container.deliveries.newest() > known { return true }
                // Another process may have made all of them.
                if try self.rest(except: obstructed) == nil { return false }
            }
        }
    }

    /// The time until the next delivery is due; `nil` if none is open.
    func rest(except obstructed: Set<String> = []) throws -> Duration? {
        let open = try accounts.annotated(container.openDeliveries()).filter {
            registry[$0.sink] != nil && $0.needs == nil && !obstructed.contains($0.sink)
        }
        let now = clock.nanoseconds() / 1_000_000
        return open.map { $0.due >= now ? .milliseconds($0.due - now + 1) : Self.lookInterval }.min()
    }
}
