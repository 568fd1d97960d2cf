internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A running process of a sink with its supervisor, and the host's ends of its streams: see ``SinkLaunch``.
///
/// This is the one engine for deliveries and for the conformance suite. For one thread, which blocks.
package final class SinkProcess {
    /// The supervisor, which leads a process group of its own.
    private let id: pid_t
    private let streams: ProcessStreams

    /// How long a process has between a polite request to end and the next less polite one.
    package static let grace = Duration.seconds(3)
    /// How many bytes of the log are kept.
    package static let logLimit = ProcessStreams.logLimit

    private init(_ id: pid_t, _ streams: ProcessStreams) {
        self.id = id
        self.streams = streams
    }

    /// Starts a process for the time of `body`. Afterwards the process, and every process that it started, is ended.
    ///
    /// `body` runs in the caller's isolation and blocks its thread.
    ///
    /// - Returns: what `body` returned, and how the process ended.
    /// - Throws: ``ProcessNotStarted``, `Errno` if no pipe can be made, and what `body` throws.
    package static func run<Value>(
        _ launch: SinkLaunch, isolation: isolated (any Actor)? = #isolation, _ body: (SinkProcess) throws -> Value
    ) async throws -> (value: Value, ending: ProcessEnding) {
        let streams = try ProcessStreams()
        var options = PlatformOptions()
        // A group of its own: Ctrl-C on the terminal must not reach the sink, which the host cancels and then ends.
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .quit, allowedDurationToNextStep: grace)]
        // Not the closure's result, which would have to be `Sendable`.
        var value: Value?
        do {
            let result = try await Subprocess.run(
                .path(launch.executable), arguments: Arguments(launch.arguments),
                environment: .custom(
                    Dictionary(
                        uniqueKeysWithValues: launch.environment.map { (Environment.Key(stringLiteral: $0), $1) })),
                platformOptions: options,
                input: .fileDescriptor(streams.processEnds.input, closeAfterSpawningProcess: true),
                output: .fileDescriptor(streams.processEnds.output, closeAfterSpawningProcess: true),
                error: .fileDescriptor(streams.processEnds.log, closeAfterSpawningProcess: true)
            ) { execution in
                // A closure is isolated to an actor that it captures.
                _ = isolation
                let process = SinkProcess(execution.processIdentifier.value, streams)
                defer { process.kill() }
                value = try body(process)
            }
            guard let value else { throw ProcessNotStarted(why: "its start was canceled") }
            return (value, ProcessEnding(result.terminationStatus))
        } catch let error as SubprocessError {
            throw ProcessNotStarted(why: "\(error)")
        }
    }

    // MARK: - Streams

    /// Queues bytes for the process's input. Every later wait writes what the pipe takes.
    package func send(_ bytes: some Sequence<UInt8>) { streams.send(bytes) }

    /// Ends the process's input.
    ///
    /// - Parameter flushes: whether the queued bytes are written first; else they are dropped.
    package func closeInput(flushes: Bool = false) { streams.closeInput(flushes: flushes) }

    /// The next line of the output, or why there is none by the deadline. It reads once, even after the deadline.
    package func next(until deadline: ContinuousClock.Instant) -> ProcessArrival { streams.next(until: deadline) }

    /// Reads and writes once, at the latest at the deadline. ``next(until:)`` returns what was read.
    package func pump(until deadline: ContinuousClock.Instant) { streams.pump(until: deadline) }

    /// The tail of the log, as far as it was written by now: at most ``logLimit`` bytes.
    package func readLog() -> String { streams.readLog() }

    // MARK: - The end

    /// Whether the process has ended, as far as an earlier wait noticed.
    package var hasEnded: Bool { !streams.isLogOpen }

    /// How many processes the supervisor had to end after the sink's own end. It waits for them only if the launch has a time
    /// to linger; else this is 0.
    package var countLeft: Int { hasEnded ? SinkLaunch.countLeft(in: readLog()) : 0 }

    /// Waits until the process has closed its output, and discards the output.
    ///
    /// - Returns: whether that was before the deadline.
    package func waitForEndOfOutput(until deadline: ContinuousClock.Instant) -> Bool {
        streams.discard(until: deadline) { !streams.isOutputOpen }
    }

    /// Waits until the process and every process that it started have ended, and discards the output.
    ///
    /// - Returns: whether that was before the deadline.
    package func waitForEnd(until deadline: ContinuousClock.Instant) -> Bool {
        streams.discard(until: deadline) { !streams.isLogOpen }
    }

    /// Signals the supervisor, which passes SIGTERM on, and which ends every process of the sink at SIGQUIT.
    package func signal(_ number: Int32) {
        // The process may have ended. Its number is not free before ``run(_:_:)`` returns, so that no other gets the signal.
        _ = systemKill(id, number)
    }

    /// Requests the end by SIGTERM, and ends the process after ``grace``.
    package func terminate() {
        signal(SIGTERM)
        awaitEnd()
    }

    /// Waits for the process's own end, so that its cause is known, and ends the process after ``grace``.
    package func awaitEnd() {
        if !waitForEnd(until: .now + Self.grace) { kill() }
    }

    /// Ends the process at once, with every process that it started.
    ///
    /// - Parameter patience: how long the supervisor has for that, before it is ended itself.
    package func kill(patience: Duration = SinkProcess.grace) {
        signal(SIGQUIT)
        // A stopped supervisor would not notice.
        signal(SIGCONT)
        if !waitForEnd(until: .now + patience) { _ = systemKill(-id, SIGKILL) }
    }
}

/// What comes next from a process.
package enum ProcessArrival {
    case line(ArraySlice<UInt8>)
    /// A line above the protocol's limit, in words. No line can be found after it.
    case tooLong(String)
    /// The process has closed its output or has ended, and every line was returned.
    case ended
    /// Nothing came by the deadline.
    case nothing
}

/// Why the system could not start a process.
package struct ProcessNotStarted: Error, Sendable, CustomStringConvertible {
    package let why: String
    package var description: String { why }
}

/// How a process ended.
package enum ProcessEnding: Sendable, Equatable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .status(code)
        case .signaled(let number): self = .signal(number)
        }
    }

    package var description: String {
        switch self {
        case .status(let code): "it ended with status \(code)"
        case .signal(let number): "it died of signal \(number)"
        }
    }

    /// The end of a process that still had a delivery, in words that follow "the sink".
    package var cause: String {
        switch self {
        case .status(let code): "ended with status \(code) before it answered"
        case .signal(let number): "died of \(Self.signalNames[number] ?? "signal \(number)")"
        }
    }

    private static let signalNames: [Int32: String] = [
        SIGILL: "an illegal instruction (SIGILL)", SIGABRT: "its own alarm (SIGABRT)", SIGBUS: "a bus error (SIGBUS)",
        SIGFPE: "an arithmetic fault (SIGFPE)", SIGKILL: "SIGKILL, sent by somebody or for want of memory",
        SIGSEGV: "a memory fault (SIGSEGV)", SIGTERM: "SIGTERM", SIGXCPU: "its limit of processor time (SIGXCPU)",
        SIGXFSZ: "its limit of file size (SIGXFSZ)",
    ]
}

private func systemKill(_ id: pid_t, _ signal: Int32) -> Int32 { kill(id, signal) }
