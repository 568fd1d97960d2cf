internal import Files
internal import Glibc
internal import SinkKit
internal import SystemPackage

/// The host's ends of a process's standard input, output and error. Its calls block, and only one thread may make them.
///
/// Every wait reads and also writes. Otherwise a sink that answers before it has read all of its input would wait for
/// the host, and the host for the sink. Memory holds at most the unsent input, one line of the sink, and the tail of
/// its log.
final class ProcessStreams {
    /// The process's ends. The spawn closes them in the host.
    let processEnds: (input: FileDescriptor, output: FileDescriptor, log: FileDescriptor)

    private let input: FileDescriptor
    private let output: FileDescriptor
    private let log: FileDescriptor
    private var isInputOpen = true
    private var isClosingInput = false
    private(set) var isOutputOpen = true
    /// The log is open until the supervisor ends. By then no process that the sink started is left.
    private(set) var isLogOpen = true
    private var unsent: [UInt8] = []
    private var sent = 0
    private var lines = LineBuffer(limit: SinkProtocol.maximumLineBytes)
    /// Set after a line above the limit: the next line's beginning cannot be found in the rest of the output.
    private var isDiscarding = false
    private var tail: [UInt8] = []
    /// A wait ends while this is readable; `nil` for none.
    var bell: FileDescriptor?
    private var isRung = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// The size of the kept tail, in bytes.
    static let logLimit = 2_000

    /// Makes three pipes, whose ends no other program inherits.
    init() throws(Errno) {
        var made: [PipeEnds] = []
        do throws(Errno) {
            for _ in 0..<3 { made.append(try PipeEnds()) }
        } catch {
            // `deinit` does not run if the initializer throws.
            for pipe in made { pipe.close() }
            buffer.deallocate()
            throw error
        }
        let (input, output, log) = (made[0], made[1], made[2])
        processEnds = (input.readEnd, output.writeEnd, log.writeEnd)
        self.input = input.writeEnd
        self.output = output.readEnd
        self.log = log.readEnd
        // Only `poll` may wait, because only it has a deadline.
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

    /// Queues bytes for the process. Every later wait writes as much as the pipe takes.
    func send(_ bytes: some Sequence<UInt8>) {
        unsent.removeFirst(sent)
        sent = 0
        unsent += bytes
        flush()
    }

    /// The queued bytes that the pipe has not taken.
    var unsentBytes: Int { unsent.count - sent }

    /// Ends the process's input.
    ///
    /// - Parameter flushes: whether to write the queued bytes first; otherwise they are dropped.
    func closeInput(flushes: Bool) {
        isClosingInput = true
        if !flushes { (unsent, sent) = ([], 0) }
        flush()
    }

    /// The next line, or the reason why there is none by the deadline. It reads once even if the deadline has passed.
    func next(until deadline: ContinuousClock.Instant) -> ProcessArrival {
        while true {
            if let arrival = takeArrival() { return arrival }
            let isLast = ContinuousClock.now >= deadline
            pump(until: deadline)
            if isLast || isRung { return takeArrival() ?? .nothing }
        }
    }

    private func takeArrival() -> ProcessArrival? {
        do {
            if let line = try lines.next() { return .line(line) }
        } catch {
            (isDiscarding, lines) = (true, LineBuffer(limit: lines.limit))
            return .tooLong("\(error); put large content into a product file instead")
        }
        return isOutputOpen ? nil : .ended
    }

    /// Waits and discards the process's output until `isOver` is true.
    ///
    /// - Returns: `false` if the deadline came first.
    func discard(until deadline: ContinuousClock.Instant, _ isOver: () -> Bool) -> Bool {
        while !isOver() {
            let isLast = ContinuousClock.now >= deadline
            pump(until: deadline)
            lines = LineBuffer(limit: lines.limit)
            if isLast { return isOver() }
        }
        return true
    }

    /// The tail of the log that was written so far.
    func readLog() -> String {
        // 16 reads empty the largest pipe that a user can make, 1 MiB. More comes only from a process that outlives the
        // sink.
        for _ in 0..<16 { guard isLogOpen, take(log, addToTail) == .some else { break } }
        return String(decoding: tail.suffix(Self.logLimit), as: UTF8.self).trimmed
    }

    // MARK: - Reading and writing

    /// Waits until the process has written or can read, and reads or writes once.
    func pump(until deadline: ContinuousClock.Instant) {
        var sources = [
            pollfd(fd: isOutputOpen ? output.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isLogOpen ? log.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isInputOpen && sent < unsent.count ? input.rawValue : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: bell?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        isRung = false
        // Rounded up, because half a millisecond would become a busy loop with a wait of 0.
        let rest = (deadline - .now + .microseconds(999)).milliseconds
        // Callers wait again until their deadline, so a wait can be cut to what fits into the argument.
        guard poll(&sources, nfds_t(sources.count), Int32(min(max(rest, 0), 60_000))) > 0 else { return }
        if sources[0].revents != 0, take(output, hear) == .end { isOutputOpen = false }
        if sources[1].revents != 0, take(log, addToTail) == .end { endLog() }
        if sources[2].revents != 0 { flush() }
        isRung = sources[3].revents != 0
    }

    /// Reads the rest of the output. The supervisor has ended, so a process that still holds this pipe is not the
    /// sink's.
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

    /// Writes as much as the pipe takes. If the sink has closed its input, the error shows later: the sink ends its
    /// output, or its clock runs out.
    private func flush() {
        while isInputOpen, sent < unsent.count {
            let count = unsent[sent...].withUnsafeBytes { SilentPipe.write($0, to: input) }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE {
                (isClosingInput, unsent, sent) = (true, [], 0)
            } else if errno != EINTR {
                // At EAGAIN the pipe is full, and `pump` waits for room.
                return
            }
        }
        guard isClosingInput, isInputOpen else { return }
        isInputOpen = false
        try? input.close()
    }
}

/// The system call. Inside of a type with a method of this name, the bare name means the method.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
