internal import SinkKit
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A sink's process, spoken to byte by byte: everything is read, nothing blocks, and every wait has its clock.
///
/// For one thread. ``finish()`` ends the process and all that it started.
final class SinkProbe {
    /// What comes next from the sink.
    enum Heard {
        case line([UInt8])
        /// A line above the protocol's limit; nothing can be heard after it.
        case tooLong
        /// The process has ended, and all that it wrote is heard.
        case ended
        /// Nothing came in time.
        case silence
    }

    /// How it all ended.
    struct End {
        let ending: ProbeEnding
        /// How many of its processes went on after it.
        let left: Int
    }

    private let process: ProbeProcess
    private var pending: ArraySlice<UInt8> = []
    private var lines = LineBuffer()
    private var isInputOpen = true
    private var isClosingInput = false
    private var isOutputOpen = true
    private var areErrorsOpen = true
    private var hasEnded = false
    /// After a line without an end nothing is kept.
    private var isDeaf = false
    private var tail: [UInt8] = []

    init(_ launch: SinkLaunch, pipes folder: FilePath) throws {
        process = try ProbeProcess(launch, pipes: folder)
    }

    /// The last words of the sink's log.
    var log: String { String(decoding: tail, as: UTF8.self).trimmed }

    /// Gives bytes to the sink, in one write where the pipe takes them; they are sent while we listen.
    func send(_ bytes: [UInt8]) {
        pending += bytes
        write()
    }

    /// Ends the sink's input once everything is sent.
    func closeInput() {
        isClosingInput = true
        write()
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Lets the sink run for a moment, until it says something.
    func yield(_ moment: Duration = .milliseconds(2)) { _ = step(until: .now + moment) }

    /// The next line, or why there is none.
    func next(until deadline: ContinuousClock.Instant) -> Heard {
        while true {
            do {
                if let line = try lines.next() { return .line(Array(line)) }
            } catch {
                isDeaf = true
                return .tooLong
            }
            if hasEnded, !isOutputOpen { return .ended }
            guard step(until: deadline) else { return .silence }
        }
    }

    /// Waits for the end of the process, whatever it still says.
    func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
        while !hasEnded { guard step(until: deadline) else { return false } }
        return true
    }

    /// Ends the sink at once, with all that it started.
    func kill() { process.signal(SIGQUIT) }

    /// Ends what is left, and gives the process back to the system.
    func finish() -> End {
        let left = hasEnded ? SinkLaunch.countLeft(in: log) : 0
        if !hasEnded {
            kill()
            if !hasEnded(by: .now + Self.patience) { process.endSupervisor() }
        }
        return End(ending: process.reap(), left: left)
    }

    /// What the supervisor has to end everything.
    private static let patience = Duration.seconds(10)

    /// Waits until something can be read or written, and does it; `false` when the time is up.
    private func step(until deadline: ContinuousClock.Instant) -> Bool {
        let (seconds, attoseconds) = (deadline - .now).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return false }
        // What is not waited for has the descriptor -1, which poll leaves out.
        var waits = [
            pollfd(fd: isOutputOpen ? process.output.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: areErrorsOpen ? process.errors.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: pending.isEmpty || !isInputOpen ? -1 : process.input.rawValue, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: hasEnded ? -1 : process.end.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waits, nfds_t(waits.count), Int32(min(milliseconds, 60_000)))
        guard count > 0 else { return count == 0 || errno == EINTR }
        if waits[3].revents != 0 { end() }
        if waits[0].revents != 0, isOutputOpen { isOutputOpen = read(process.output, hear) }
        if waits[1].revents != 0, areErrorsOpen { areErrorsOpen = read(process.errors, keepTail) }
        if waits[2].revents != 0 { write() }
        return true
    }

    /// Reads what is left: what other processes write from now on is not the sink's.
    private func end() {
        hasEnded = true
        // A pipe holds at most so much; whoever fills it again is another process.
        for _ in 0..<16 where isOutputOpen { isOutputOpen = read(process.output, hear) }
        isOutputOpen = false
        if areErrorsOpen { _ = read(process.errors, keepTail) }
    }

    /// Takes one chunk; `false` at the end.
    private func read(_ descriptor: FileDescriptor, _ take: ([UInt8]) -> Void) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        do {
            let count = try chunk.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            if count > 0 { take(Array(chunk.prefix(count))) }
            return count > 0
        } catch {
            return error as? Errno == .resourceTemporarilyUnavailable || error as? Errno == .interrupted
        }
    }

    private func hear(_ chunk: [UInt8]) {
        if !isDeaf { lines.append(chunk) }
    }

    private func keepTail(_ chunk: [UInt8]) {
        tail += chunk.suffix(SinkPipes.logLimit)
        if tail.count > SinkPipes.logLimit { tail.removeFirst(tail.count - SinkPipes.logLimit) }
    }

    private func write() {
        BrokenPipe.ignore()
        while isInputOpen, !pending.isEmpty {
            do {
                pending = pending.dropFirst(try pending.withUnsafeBytes { try process.input.write($0) })
            } catch {
                guard error as? Errno != .interrupted else { continue }
                if error as? Errno == .resourceTemporarilyUnavailable { return }
                // Whoever does not listen says so by its end, or by no answer.
                pending = []
            }
        }
        if isClosingInput {
            isInputOpen = false
            process.closeInput()
        }
    }
}
