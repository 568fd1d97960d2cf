internal import SinkKit
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A sink's standard input, output and error, as the host holds them. For one thread, which blocks.
///
/// Reading and writing go on side by side, so that a sink which answers before it has read all never waits for a host that
/// waits for it. Memory is bounded: by what is handed over at once, a line of the sink, and the tail of its log.
final class SinkPipes {
    /// The sink's own ends, to be closed here once it has started.
    let sinkEnds: (input: FileDescriptor, output: FileDescriptor, log: FileDescriptor)

    private let input: FileDescriptor
    private let output: FileDescriptor
    private let log: FileDescriptor
    private var isInputOpen = true
    private var isOutputOpen = true
    private var isLogOpen = true
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var lines = LineBuffer()
    private var tail: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// How much is kept of the sink's standard error, in bytes.
    static let logLimit = 2_000
    /// How often a wait is interrupted to look whether it is still wanted, and for the caller's own clocks.
    static let interval = Duration.milliseconds(200)

    /// Three pipes, of which the sink's ends are inherited by nobody else.
    init() throws(Errno) {
        let (input, output, log) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        sinkEnds = (input.readEnd, output.writeEnd, log.writeEnd)
        self.input = input.writeEnd
        self.output = output.readEnd
        self.log = log.readEnd
        for end in [self.input, self.output, self.log] {
            _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
        }
    }

    deinit {
        buffer.deallocate()
        closeInput()
        try? output.close()
        try? log.close()
    }

    private static func pipe() throws(Errno) -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        do {
            let ends = try FileDescriptor.pipe()
            for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
            return ends
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Writes a line as soon as the sink takes it.
    func send(_ line: [UInt8]) {
        outgoing.removeFirst(sent)
        sent = 0
        outgoing += line
        flush()
    }

    /// What a wait for a line ended with.
    enum Arrival {
        case line(ArraySlice<UInt8>)
        /// The sink has closed its output, and all it wrote was taken.
        case end
        /// Nothing yet, for about ``interval``.
        case nothing
    }

    /// The next line of the sink.
    ///
    /// - Throws: `SinkProtocol.LineTooLong`.
    func next(waits: Bool = true) throws -> Arrival {
        if let line = try lines.next() { return .line(line) }
        guard isOutputOpen else { return .end }
        guard waits else { return .nothing }
        wait()
        if let line = try lines.next() { return .line(line) }
        return isOutputOpen ? .nothing : .end
    }

    /// Takes what is there, without waiting for more.
    func look() { wait(milliseconds: 0) }

    /// Ends the sink's input, once all is written that it still takes.
    func closeInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        try? input.close()
    }

    /// Reads on until the sink has closed its output, throwing away what it says.
    ///
    /// - Returns: whether it did so in time.
    func drain(until deadline: ContinuousClock.Instant) -> Bool {
        while isOutputOpen, ContinuousClock.now < deadline {
            wait()
            lines = LineBuffer()
        }
        return !isOutputOpen
    }

    /// Reads on until nobody holds the sink's standard error any more: its supervisor keeps it to its own end, which comes
    /// after that of all that the sink started.
    ///
    /// - Returns: whether that was in time.
    func waitForEnd(until deadline: ContinuousClock.Instant) -> Bool {
        while isLogOpen, ContinuousClock.now < deadline {
            wait()
            lines = LineBuffer()
        }
        return !isLogOpen
    }

    /// The last words of the sink's standard error, as far as they are there.
    func readLog() -> String {
        // What a sink's child that lives on may still write is of no interest.
        for _ in 0..<16 { guard isLogOpen, take(log, addToTail) else { break } }
        return String(decoding: tail.suffix(Self.logLimit), as: UTF8.self).trimmed
    }

    private func wait(milliseconds: Int32 = Int32(SinkPipes.interval.milliseconds)) {
        var sources = [
            pollfd(fd: isOutputOpen ? output.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isLogOpen ? log.rawValue : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isInputOpen && sent < outgoing.count ? input.rawValue : -1, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { return }
        if sources[0].revents != 0 { isOutputOpen = take(output) { lines.append($0) } || errno == EAGAIN }
        if sources[1].revents != 0 { isLogOpen = take(log, addToTail) || errno == EAGAIN }
        if sources[2].revents != 0 { flush() }
    }

    private func addToTail(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        tail += bytes
        if tail.count > 2 * Self.logLimit { tail.removeFirst(tail.count - Self.logLimit) }
    }

    /// One read; `false` at the end, or where there is nothing now, which `errno` tells apart.
    private func take(_ source: FileDescriptor, _ body: (Slice<UnsafeMutableRawBufferPointer>) -> Void) -> Bool {
        errno = 0
        let count = systemRead(source.rawValue, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        body(buffer[..<count])
        return true
    }

    /// A sink that reads no more is found out by its output, which it closes as well, or by its clock.
    private func flush() {
        while isInputOpen, sent < outgoing.count {
            let count = outgoing[sent...].withUnsafeBytes { systemWrite(input.rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                sent += count
            } else if errno == EPIPE {
                closeInput()
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// The system calls; inside a type with methods of these names they would be ambiguous.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
