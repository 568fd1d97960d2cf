internal import Files
internal import Glibc
internal import SinkKit
internal import SystemPackage

/// The host's ends of a process's standard input, output and error. For one thread, which blocks.
///
/// Every wait reads and writes side by side, so that a sink that answers before it has read everything never blocks the host
/// that still writes. Memory is bounded by the unsent input, one line of the sink, and the tail of its log.
final class ProcessStreams {
    /// The process's own ends. The spawn closes them in the host.
    let processEnds: (input: FileDescriptor, output: FileDescriptor, log: FileDescriptor)

    private let input: FileDescriptor
    private let output: FileDescriptor
    private let log: FileDescriptor
    private var isInputOpen = true
    private var isClosingInput = false
    private(set) var isOutputOpen = true
    /// The supervisor closes the log last: after its own end nothing that the sink started is left.
    private(set) var isLogOpen = true
    private var unsent: [UInt8] = []
    private var sent = 0
    private var lines = LineBuffer()
    /// After a line above the limit, the rest of the output has no line to begin with.
    private var isDiscarding = false
    private var tail: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// How many bytes of the log are kept.
    static let logLimit = 2_000

    /// Makes three pipes. No other program inherits their ends.
    init() throws(Errno) {
        var made: [PipeEnds] = []
        do throws(Errno) {
            for _ in 0..<3 { made.append(try PipeEnds()) }
        } catch {
            // `deinit` does not run for a value that was not made.
            for pipe in made { pipe.close() }
            buffer.deallocate()
            throw error
        }
        let (input, output, log) = (made[0], made[1], made[2])
        processEnds = (input.readEnd, output.writeEnd, log.writeEnd)
        self.input = input.writeEnd
        self.output = output.readEnd
        self.log = log.readEnd
        for end in [self.input, self.output, self.log] {
            _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
        }
    }

    deinit {
        buffer.deallocate()
        if isInputOpen { try? input.close() }
        try? output.close()
        try? log.close()
    }

    /// Queues bytes for the process. Every later wait writes what the pipe takes.
    func send(_ bytes: some Sequence<UInt8>) {
        unsent.removeFirst(sent)
        sent = 0
        unsent += bytes
        flush()
    }

    /// Ends the process's input.
    ///
    /// - Parameter flushes: whether the queued bytes are written first; else they are dropped.
    func closeInput(flushes: Bool) {
        isClosingInput = true
        if !flushes { (unsent, sent) = ([], 0) }
        flush()
    }

    /// The next line, or why there is none by the deadline. It reads once, even after the deadline.
    func next(until deadline: ContinuousClock.Instant) -> ProcessArrival {
        while true {
            if let arrival = takeArrival() { return arrival }
            let isLast = ContinuousClock.now >= deadline
            pump(until: deadline)
            if isLast { return takeArrival() ?? .nothing }
        }
    }

    private func takeArrival() -> ProcessArrival? {
        do {
            if let line = try lines.next() { return .line(line) }
        } catch {
            (isDiscarding, lines) = (true, LineBuffer())
            return .tooLong("\(error)")
        }
        return isOutputOpen ? nil : .ended
    }

    /// Waits and discards the process's output until `isOver` is true.
    ///
    /// - Returns: whether that was before the deadline.
    func discard(until deadline: ContinuousClock.Instant, _ isOver: () -> Bool) -> Bool {
        while !isOver() {
            let isLast = ContinuousClock.now >= deadline
            pump(until: deadline)
            lines = LineBuffer()
            if isLast { return isOver() }
        }
        return true
    }

    /// The tail of the log, as far as it was written by now.
    func readLog() -> String {
        // A pipe holds at most this much. More comes only from a process that outlives the sink.
        for _ in 0..<16 { guard isLogOpen, take(log, addToTail) == .some else { break } }
        return String(decoding: tail.suffix(Self.logLimit), as: UTF8.self).trimmed
    }

    // MARK: - Reading and writing

    /// Waits until something can be read or written, and reads or writes it.
    func pump(until deadline: ContinuousClock.Instant) {
        var sources = [
            pollfd(fd: isOutputOpen ? output.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isLogOpen ? log.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isInputOpen && sent < unsent.count ? input.rawValue : -1, events: Int16(POLLOUT), revents: 0),
        ]
        // Rounded up: a wait of half a millisecond would else be a busy loop.
        let rest = (deadline - .now + .microseconds(999)).milliseconds
        guard poll(&sources, nfds_t(sources.count), Int32(min(max(rest, 0), 60_000))) > 0 else { return }
        if sources[0].revents != 0, take(output, hear) == .end { isOutputOpen = false }
        if sources[1].revents != 0, take(log, addToTail) == .end { endLog() }
        if sources[2].revents != 0 { flush() }
    }

    /// Reads the rest of the output. A process that still holds the output's pipe is not the sink's any more.
    private func endLog() {
        isLogOpen = false
        for _ in 0..<16 where isOutputOpen { guard take(output, hear) == .some else { break } }
        isOutputOpen = false
    }

    private func hear(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        if !isDiscarding { lines.append(bytes) }
    }

    private func addToTail(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        tail += bytes
        if tail.count > 2 * Self.logLimit { tail.removeFirst(tail.count - Self.logLimit) }
    }

    private enum Reading {
        case some, none, end
    }

    private func take(_ source: FileDescriptor, _ body: (Slice<UnsafeMutableRawBufferPointer>) -> Void) -> Reading {
        let count = systemRead(source.rawValue, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && [EINTR, EAGAIN].contains(errno) ? .none : .end }
        body(buffer[..<count])
        return .some
    }

    /// Writes what the pipe takes. A sink that closed its input shows it by its output or by its clock.
    private func flush() {
        while isInputOpen, sent < unsent.count {
            let count = unsent[sent...].withUnsafeBytes { SilentPipe.write($0, to: input) }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE {
                (isClosingInput, unsent, sent) = (true, [], 0)
            } else if errno != EINTR {
                return
            }
        }
        guard isClosingInput, isInputOpen else { return }
        isInputOpen = false
        try? input.close()
    }
}

/// The system call; inside a type with a method of its name it would be ambiguous.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
