internal import Glibc
internal import Subprocess
package import SystemPackage

/// A running process of a sink with its supervisor, and the host's ends of its streams: see ``SinkLaunch``.
///
/// Deliveries and the conformance suite share this engine. Its calls block, and only one thread may make them.
package final class SinkProcess {
    /// The supervisor, which leads a process group of its own.
    private let id: pid_t
    private let streams: ProcessStreams

    /// The time that a process has to end after one request, before the host sends a stronger one.
    package static let grace = Duration.seconds(3)
    /// The size of the kept tail of the log, in bytes.
    package static let logLimit = ProcessStreams.logLimit

    private init(_ id: pid_t, _ streams: ProcessStreams) {
        self.id = id
        self.streams = streams
    }

    /// Starts a process, calls `body`, and then ends the process with every process that it started.
    ///
    /// `body` runs in the caller's isolation and blocks its thread.
    ///
    /// - Returns: the value of `body`, and how the process ended.
    /// - Throws: ``ProcessNotStarted``, `Errno` if no pipe can be made, and the errors of `body`.
    package static func run<Value>(
        _ launch: SinkLaunch, isolation: isolated (any Actor)? = #isolation, _ body: (SinkProcess) throws -> Value
    ) async throws -> (value: Value, ending: ProcessEnding) {
        let streams = try ProcessStreams()
        var options = PlatformOptions()
        // In a group of its own, the sink gets no Ctrl-C of the terminal. The host cancels its deliveries first, and
        // then ends it.
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .quit, allowedDurationToNextStep: grace)]
        // The closure stores the value here, because its own result would have to be `Sendable`.
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
                // A closure is isolated to an actor only if it captures the actor.
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

    /// Ends each wait of ``next(until:)`` while a descriptor is readable; `nil` for none.
    package func listen(to bell: FileDescriptor?) { streams.bell = bell }

    /// The queued bytes that the pipe has not taken.
    package var unsentBytes: Int { streams.unsentBytes }

    /// Queues bytes for the process's input. Every later wait writes as much as the pipe takes.
    package func send(_ bytes: some Sequence<UInt8>) { streams.send(bytes) }

    /// Ends the process's input.
    ///
    /// - Parameter flushes: whether to write the queued bytes first; otherwise they are dropped.
    package func closeInput(flushes: Bool = false) { streams.closeInput(flushes: flushes) }

    /// The next line of the output, or the reason why there is none by the deadline. It reads once even if the deadline
    /// has passed.
    package func next(until deadline: ContinuousClock.Instant) -> ProcessArrival { streams.next(until: deadline) }

    /// Reads and writes once, or waits until the deadline. ``next(until:)`` returns the lines that were read.
    package func pump(until deadline: ContinuousClock.Instant) { streams.pump(until: deadline) }

    /// The tail of the log that was written so far: at most ``logLimit`` bytes.
    package func readLog() -> String { streams.readLog() }

    // MARK: - The end

    /// Whether an earlier wait saw the end of the process.
    package var hasEnded: Bool { !streams.isLogOpen }

    /// The number of processes that the supervisor had to end after the sink's own end. It is 0 if the launch has no
    /// time to linger, because the supervisor then does not count.
    package var countLeft: Int { hasEnded ? SinkLaunch.countLeft(in: readLog()) : 0 }

    /// Waits until the process has closed its output, and discards the output.
    ///
    /// - Returns: `false` if the deadline came first.
    package func waitForEndOfOutput(until deadline: ContinuousClock.Instant) -> Bool {
        streams.discard(until: deadline) { !streams.isOutputOpen }
    }

    /// Waits until the process and every process that it started have ended, and discards the output.
    ///
    /// - Returns: `false` if the deadline came first.
    package func waitForEnd(until deadline: ContinuousClock.Instant) -> Bool {
        streams.discard(until: deadline) { !streams.isLogOpen }
    }

    /// Signals the supervisor. It passes SIGTERM on, and at SIGQUIT it ends every process of the sink.
    package func signal(_ number: Int32) {
        // If the process has ended, no other one gets the signal: its id is not free before ``run(_:isolation:_:)``
        // returns.
        _ = systemKill(id, number)
    }

    /// Sends SIGTERM, and ends the process if it still runs after ``grace``.
    package func terminate() {
        signal(SIGTERM)
        awaitEnd()
    }

    /// Waits for the process to end by itself, which shows the cause of its end. Ends the process after ``grace``.
    package func awaitEnd() {
        if !waitForEnd(until: .now + Self.grace) { kill() }
    }

    /// Ends the process at once, with every process that it started.
    ///
    /// - Parameter patience: the time that the supervisor has for this. After it, the host ends the supervisor too.
    package func kill(patience: Duration = SinkProcess.grace) {
        signal(SIGQUIT)
        // A supervisor that was stopped by SIGSTOP handles no signal before it continues.
        signal(SIGCONT)
        if !waitForEnd(until: .now + patience) { _ = systemKill(-id, SIGKILL) }
    }
}

/// The next event from a process.
package enum ProcessArrival {
    case line(ArraySlice<UInt8>)
    /// A line above the protocol's limit, in words. The beginning of the next line cannot be found.
    case tooLong(String)
    /// The process has closed its output or has ended, and there are no more lines.
    case ended
    /// Nothing came by the deadline.
    case nothing
}

/// The reason why the system could not start a process.
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

    /// Whether the kernel ended the process because of its processor time.
    package var isOutOfProcessorTime: Bool { if case .signal(SIGXCPU) = self { true } else { false } }

    /// The end of a process that still had a delivery, as a phrase after "the sink".
    package var cause: String {
        switch self {
        case .status(let code): "ended with status \(code) before it answered"
        case .signal(let number): "died of \(Self.signalNames[number] ?? "signal \(number)")"
        }
    }

    private static let signalNames: [Int32: String] = [
        SIGILL: "an illegal instruction (SIGILL)", SIGABRT: "an abort of its own (SIGABRT)",
        SIGBUS: "a bus error (SIGBUS)",
        SIGFPE: "an arithmetic fault (SIGFPE)", SIGKILL: "SIGKILL, from another process or for lack of memory",
        SIGSEGV: "a memory fault (SIGSEGV)", SIGTERM: "SIGTERM", SIGXCPU: "its limit of processor time (SIGXCPU)",
        SIGXFSZ: "its limit of file size (SIGXFSZ)",
    ]
}

private func systemKill(_ id: pid_t, _ signal: Int32) -> Int32 { kill(id, signal) }
