import Ingestion
import ShareModel
import Synchronization
import SystemPackage

/// The progress of a run as one line of the terminal, redrawn in place. Without a terminal it writes nothing.
final class ProgressLine: Sendable {
    struct State {
        var packages = 0
        /// The objects checked so far and their total; `nil` if the run counts packages.
        var objects: (done: Int, of: Int)?
        var bytes: Int64 = 0
        var current = ""
        var rate = Rate()
        var drawn = ""
    }

    private let stream: OutputStream
    private let isShown: Bool
    private let state = Mutex(State())

    init(stream: OutputStream, terminal: Terminal, isWanted: Bool) {
        self.stream = stream
        isShown = isWanted && terminal.redraws
    }

    func take(_ event: IngestEvent) {
        guard isShown else { return }
        state.withLock { state in
            switch event {
            case .progress(let packages, let bytes, let path):
                state.packages = packages
                state.bytes = bytes
                state.current = path.map { SafeText.escape(bytes: $0.name) } ?? ""
            // The next `.progress` has the counts.
            case .settled: break
            }
        }
    }

    func take(objects: Int, of total: Int, bytes: Int64) {
        guard isShown else { return }
        state.withLock { state in
            // Several threads report, in no particular order; the largest figure is the latest.
            state.objects = (max(objects, state.objects?.done ?? 0), total)
            state.bytes = max(bytes, state.bytes)
        }
    }

    /// Redraws the line if it changed.
    func draw() {
        // If the lock is taken, `cleared` is printing, perhaps to a slow reader. The next tick draws; waiting here
        // would occupy a thread of Swift's shared pool.
        _ = state.withLockIfAvailable { state in
            state.rate.add(bytes: state.bytes, at: .now)
            // A full line may wrap, and then the escape sequence below would clear only its last row.
            let text = DisplayWidth.fit(Self.text(state), columns: Terminal.columns - 1)
            guard text != state.drawn else { return }
            state.drawn = text
            stream.write(raw: "\r\u{1B}[2K" + text)
        }
    }

    /// Removes the line, then runs a closure that prints permanent lines.
    func cleared(_ body: () throws -> Void) rethrows {
        try state.withLock { state in
            if !state.drawn.isEmpty { stream.write(raw: "\r\u{1B}[2K") }
            state.drawn = ""
            try body()
        }
    }

    /// Redraws ten times a second until the task is cancelled.
    func run() async {
        guard isShown else { return }
        while !Task.isCancelled {
            draw()
            // The loop's condition handles the cancellation that ends the sleep.
            try? await Task.sleep(for: .milliseconds(100))
        }
        cleared {}
    }

    static func text(_ state: State) -> String {
        let count =
            state.objects.map { "\(Units.grouped($0.done)) of \(Units.count($0.of, "object"))" }
            ?? Units.count(state.packages, "package")
        var parts = [count, Units.bytes(state.bytes)]
        if let rate = state.rate.bytesPerSecond, rate > 0 { parts.append(Units.bytes(rate) + "/s") }
        if !state.current.isEmpty { parts.append(state.current) }
        return parts.joined(separator: " · ")
    }
}

/// The average of bytes per second over the last three seconds.
struct Rate {
    private static let window = Duration.seconds(3)
    private var samples: [(instant: ContinuousClock.Instant, bytes: Int64)] = []

    /// Adds a sample: the total of bytes so far.
    mutating func add(bytes: Int64, at instant: ContinuousClock.Instant) {
        samples.append((instant, bytes))
        samples.removeAll { $0.instant.duration(to: instant) > Self.window }
    }

    /// `nil` until the samples span half a second; a shorter span gives a figure that jumps.
    var bytesPerSecond: Int64? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let time = first.instant.duration(to: last.instant)
        guard time >= .milliseconds(500) else { return nil }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return Int64(Double(last.bytes - first.bytes) / seconds)
    }
}
