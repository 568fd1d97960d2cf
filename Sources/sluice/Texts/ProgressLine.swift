import Ingestion
import ShareModel
import Synchronization
import SystemPackage

/// The progress of a run as one line of the terminal, redrawn in place. Without a terminal it writes nothing.
final class ProgressLine: Sendable {
    struct State {
        /// The progress of a run that counts packages.
        var run = IngestProgress()
        /// The objects checked so far and their total; `nil` if the run counts packages.
        var objects: (done: Int, of: Int)?
        var bytes: Int64 = 0
        /// Of bytes that are read.
        var rate = Rate()
        /// Of bytes that transfers send.
        var sending = Rate()
        /// Of packages while they are read, then of deliveries.
        var pace = Rate(window: .seconds(10))
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
            case .progress(let progress):
                state.run = progress
                state.bytes = progress.bytes
            // The next `.progress` has the counts.
            case .committed, .settled: break
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

    func take(packages: Int, of total: Int) {
        guard isShown else { return }
        state.withLock { ($0.run.packages, $0.run.total) = (packages, total) }
    }

    /// Counts deliveries alone, of which one more ended if `total` is `nil`.
    func take(deliveries total: Int?) {
        guard isShown else { return }
        state.withLock { state in
            guard let total else { return state.run.deliveriesDone += 1 }
            state.run = IngestProgress()
            (state.run.deliveries, state.run.total) = (total, 0)
        }
    }

    func take(_ transfers: TransferProgress) {
        guard isShown else { return }
        state.withLock { $0.run.transfers = transfers }
    }

    /// Redraws the line if it changed.
    func draw() {
        // If the lock is taken, `cleared` is printing, perhaps to a slow reader. The next tick draws; waiting here
        // would occupy a thread of Swift's shared pool.
        _ = state.withLockIfAvailable { state in
            state.rate.add(state.bytes, at: .now)
            state.pace.add(Int64(state.run.done), at: .now)
            if let transfers = state.run.transfers { state.sending.add(transfers.sent, at: .now) }
            // A full line may wrap, and then the escape sequence below would clear only its last row.
            let text = DisplayWidth.fit(Self.text(state), columns: Terminal.errorColumns - 1)
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

    /// Shows the line while `work` runs.
    func during<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.run() }
            defer { group.cancelAll() }
            return try await work()
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

    /// The most important figures come first, because a narrow terminal shows only these.
    static func text(_ state: State) -> String {
        let run = state.run
        var parts: [String] = []
        if let objects = state.objects {
            parts = ["\(Units.grouped(objects.done)) of \(Units.count(objects.of, "object"))"]
        } else if let total = run.total, total > run.packages {
            parts = ["\(Units.grouped(run.packages)) of \(Units.count(total, "package"))"]
        } else if run.total != 0 {
            parts = [Units.count(run.packages, "package")]
        }
        if run.deliveries > 0 {
            parts.append("\(Units.grouped(run.deliveriesDone)) of \(Units.count(run.deliveries, "delivery"))")
        }
        if let transfers = run.transfers, transfers.open > 0 {
            parts.append("sending \(Units.count(transfers.open, "file"))")
            if transfers.size > 0 { parts.append("\(Units.bytes(transfers.sent)) of \(Units.bytes(transfers.size))") }
            if let rate = state.sending.perSecond, rate > 0 { parts.append(Units.bytes(Int64(rate)) + "/s") }
            return parts.joined(separator: " · ")
        }
        if let left = state.left { parts.append("\(Units.duration(left)) left") }
        if run.total != 0 || state.objects != nil { parts.append(Units.bytes(state.bytes)) }
        if let rate = state.rate.perSecond, rate > 0 { parts.append(Units.bytes(Int64(rate)) + "/s") }
        if let path = run.reading { parts.append(SafeText.escape(bytes: path.name)) }
        return parts.joined(separator: " · ")
    }
}

extension ProgressLine.State {
    /// The time until the end, as the last seconds suggest; `nil` if the end of the work is not known.
    var left: Duration? {
        guard let todo = run.todo, todo > 0, let pace = pace.perSecond, pace > 0 else { return nil }
        return .milliseconds(Int64(Double(todo) / pace * 1_000))
    }
}

extension IngestProgress {
    /// The steps that are done: each package is read, and each delivery ends.
    fileprivate var done: Int { packages + deliveriesDone }

    /// The steps that are left; `nil` if more packages may come. The deliveries of a package are known when it is
    /// committed.
    fileprivate var todo: Int? {
        guard let total else { return nil }
        return total - packages + deliveries - deliveriesDone
    }
}

/// The average growth of a number in a second, over the last seconds.
struct Rate {
    private let window: Duration
    private var samples: [(instant: ContinuousClock.Instant, number: Int64)] = []

    init(window: Duration = .seconds(3)) { self.window = window }

    /// Adds a sample of the number.
    mutating func add(_ number: Int64, at instant: ContinuousClock.Instant) {
        samples.append((instant, number))
        samples.removeAll { $0.instant.duration(to: instant) > window }
    }

    /// `nil` until the samples span half a second; a shorter span gives a figure that jumps.
    var perSecond: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let time = first.instant.duration(to: last.instant)
        guard time >= .milliseconds(500) else { return nil }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return Double(last.number - first.number) / seconds
    }
}
