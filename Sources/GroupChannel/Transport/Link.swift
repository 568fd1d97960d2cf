internal import Files
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// One end of a connection: greets, sends, receives, and ends exactly once.
///
/// The loop's thread reads. Any thread sends, and writes to the socket itself if nothing waits before its line.
final class Link: EventLoop.Source {
    /// An open request of this side.
    private struct Pending {
        let answer: any (Codable & Sendable).Type
        let deadline: ContinuousClock.Instant?
        let since: ContinuousClock.Instant
        let finish: @Sendable (Result<Reply, ChannelError>) -> Void
    }

    /// The answer to a request.
    struct Reply: Sendable {
        var value: any Sendable
        var files: ReceivedFiles
    }

    private struct State {
        var queue = SendQueue()
        var pending: [Int64: Pending] = [:]
        var lastID: Int64 = 0
        /// The messages that the program has not taken, and the requests that it has not answered.
        var open = 0
        /// The types that the other side accepts; `nil` before its greeting.
        var accepted: Set<String>?
        var reads = true
        var end: Invalidation?
        var token: EventLoop.Token?
        var heard = ContinuousClock.now
        /// Whether the kernel reported the end while this side did not read.
        var isResting = false
        var flushed: [@Sendable () -> Void] = []
        /// `nil` after the end. A request in the stream holds this link, so both would keep each other.
        var continuation: AsyncStream<ChannelEvent>.Continuation?
        /// Until the connection takes them.
        var events: AsyncStream<ChannelEvent>?
    }

    /// What only the loop's thread uses.
    private struct Input {
        var lines: LineSplitter
        var files: [FileDescriptor] = []
        var hasGreeted = false
        /// Whether the greeting was reported.
        var isReported = false
        /// Whether the socket is closed. Its number may be that of another file then.
        var isClosed = false
    }

    let socket: Socket
    let peer: ChannelPeer
    let types: ChannelTypes
    let limits: ChannelLimits
    let loop: EventLoop
    private let state = Mutex(State())
    private let input: Mutex<Input>
    private let greetingEnd: ContinuousClock.Instant
    /// Called with `true` after the greeting, and with `false` at the end.
    private let report: @Sendable (Link, Bool) -> Void

    /// Takes over a connected socket, and greets. The link owns the socket.
    init(
        _ socket: Socket, _ types: ChannelTypes, _ limits: ChannelLimits,
        report: @escaping @Sendable (Link, Bool) -> Void = { _, _ in }
    ) throws(ChannelError) {
        do throws(ChannelError) {
            peer = try ChannelPeer(of: socket.descriptor)
            loop = try EventLoop.shared()
        } catch {
            socket.close()
            throw error
        }
        (self.socket, self.types, self.limits, self.report) = (socket, types, limits, report)
        input = Mutex(Input(lines: LineSplitter(limit: max(0, limits.lineBytes - 1))))
        greetingEnd = .now + limits.patience
        let (events, continuation) = AsyncStream<ChannelEvent>.makeStream()
        state.withLock { ($0.events, $0.continuation) = (events, continuation) }
    }

    /// The events, for the connection, which owns them. After the end, only the end is left.
    func takeEvents() -> AsyncStream<ChannelEvent> {
        let (events, end) = state.withLock { state in
            defer { state.events = nil }
            return (state.events, state.end)
        }
        if let events { return events }
        let (rest, continuation) = AsyncStream<ChannelEvent>.makeStream()
        continuation.yield(.invalidated(end ?? .closed))
        continuation.finish()
        return rest
    }

    /// Begins to read. Until its end, the loop keeps the link.
    func start() throws(ChannelError) {
        do throws(ChannelError) {
            try send(.hello(types), [])
            try state.withLock { state throws(ChannelError) in
                if let end = state.end { throw ChannelError(ended: end) }
                state.token = try loop.add(self, socket.descriptor, interest(state))
            }
        } catch {
            end(.vanished)
            throw error
        }
        loop.wake(at: greetingEnd)
    }

    // MARK: Sending

    /// Puts a line into the queue, and hands it to the kernel if no other waits.
    func send(_ line: OutgoingLine, _ files: [FileDescriptor]) throws(ChannelError) {
        try send(bytes(line, files: files.count), files)
    }

    /// The bytes of a line, within the limits.
    func bytes(_ line: OutgoingLine, files: Int) throws(ChannelError) -> [UInt8] {
        let most = min(limits.descriptors, Socket.descriptorLimit)
        guard files <= most else {
            throw ChannelError(.tooLarge, "\(files) files are more than the limit of \(most)")
        }
        do {
            return try line.bytes(limit: limits.lineBytes)
        } catch let error as LineTooLong {
            throw ChannelError(.tooLarge, "\(error); send a large value as an open file")
        } catch {
            throw ChannelError(.system, "JSON cannot express the value: \(error)")
        }
    }

    func send(_ bytes: [UInt8], _ files: [FileDescriptor]) throws(ChannelError) {
        try state.withLock { state throws(ChannelError) in try enqueue(bytes, files, &state) }
    }

    /// Sends a request. `finish` is called once, on any thread.
    func request(
        _ value: some ChannelRequest, answer: any (Codable & Sendable).Type, _ files: [FileDescriptor],
        within time: Duration?, _ finish: @escaping @Sendable (Result<Reply, ChannelError>) -> Void
    ) throws(ChannelError) -> Int64 {
        let now = ContinuousClock.now
        let deadline = time.map { now + $0 }
        let id = try state.withLock { state throws(ChannelError) in
            guard state.pending.count < limits.openRequests else {
                throw ChannelError(.queueFull, "\(limits.openRequests) requests wait for their answers")
            }
            state.lastID += 1
            return state.lastID
        }
        let bytes = try bytes(.request(id, value, descriptors: files.count), files: files.count)
        try state.withLock { state throws(ChannelError) in
            // Before the line is sent, because the answer may come at once.
            state.pending[id] = Pending(answer: answer, deadline: deadline, since: now, finish: finish)
            do throws(ChannelError) {
                try enqueue(bytes, files, &state)
            } catch {
                state.pending[id] = nil
                throw error
            }
        }
        if let deadline { loop.wake(at: deadline) }
        return id
    }

    /// Waits no longer for an answer.
    func abandon(_ id: Int64) { finish(id, .failure(ChannelError(.timedOut, "the caller gave the request up"))) }

    /// Calls `body` once the kernel has taken everything that was sent, or the connection has ended.
    func whenFlushed(_ body: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.queue.isEmpty || state.end != nil { return true }
            state.flushed.append(body)
            return false
        }
        if isNow { body() }
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Whether the other side accepts a type. Before its greeting this is unknown, and counts as yes.
    func accepts(_ name: String) -> Bool { state.withLock { $0.accepted?.contains(name) ?? true } }

    private func enqueue(_ bytes: [UInt8], _ files: [FileDescriptor], _ state: inout State) throws(ChannelError) {
        if let end = state.end { throw ChannelError(ended: end) }
        guard state.queue.isEmpty || state.queue.bytes + bytes.count <= limits.queueBytes else {
            throw ChannelError(.queueFull, "the other side does not read, and \(state.queue.bytes) bytes wait for it")
        }
        let wasEmpty = state.queue.isEmpty
        try state.queue.append(bytes, files)
        guard wasEmpty else { return }
        // The end of the other side is reported by the loop, after what it sent before was read.
        guard state.queue.flush(into: socket) else { return state.queue.removeAll() }
        if !state.queue.isEmpty, let token = state.token {
            loop.change(token, socket.descriptor, interest(state))
            loop.wake(at: .now + limits.patience)
        }
    }

    private func interest(_ state: State) -> EventLoop.Readiness {
        var interest: EventLoop.Readiness = []
        if state.reads { interest.insert(.readable) }
        if !state.queue.isEmpty { interest.insert(.writable) }
        return interest
    }

    // MARK: The loop

    func take(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable) { write() }
        if readiness.contains(.readable) { return read() }
        guard readiness.contains(.ended) else { return }
        // The kernel reports an end for as long as it lasts, so a link that does not read now has to look away.
        let reads = state.withLock { state in
            if !state.reads, state.end == nil {
                state.isResting = true
                loop.pause(socket.descriptor)
            }
            return state.reads
        }
        if reads { read() }
    }

    private func write() {
        let flushed = state.withLock { state -> [@Sendable () -> Void] in
            if !state.queue.flush(into: socket) { state.queue.removeAll() }
            if let token = state.token, state.end == nil { loop.change(token, socket.descriptor, interest(state)) }
            guard state.queue.isEmpty else { return [] }
            defer { state.flushed = [] }
            return state.flushed
        }
        for body in flushed { body() }
    }

    /// The bytes of one reading.
    private static let readBytes = 64 << 10

    private func read() {
        let (reason, isNew) = input.withLock { input -> (Invalidation?, Bool) in
            if input.isClosed { return (nil, false) }
            let reason: Invalidation? = withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 16) {
                space in
                switch socket.receive(into: space) {
                case .bytes(let count, let files):
                    input.files += files
                    input.lines.append(Array(space[..<count]))
                    return takeLines(&input)
                case .nothing: return nil
                case .end: return .vanished
                case .tooManyDescriptors: return .misbehaved("it sent more files at once than a reading takes")
                }
            }
            defer { input.isReported = input.hasGreeted }
            return (reason, input.hasGreeted && !input.isReported)
        }
        // Without the lock, because the receiver may close the connection at once.
        if isNew { report(self, true) }
        if let reason { end(reason) }
    }

    private func takeLines(_ input: inout Input) -> Invalidation? {
        state.withLock { $0.heard = .now }
        while let line = input.lines.next() {
            if let reason = take(line, &input) { return reason }
        }
        // Those of a line that has begun may be there already.
        let isTooMany = input.files.count > limits.descriptors || !input.lines.hasBegun && !input.files.isEmpty
        return isTooMany ? .misbehaved("it sent files that no line names") : nil
    }

    private func take(_ line: LineSplitter.Line, _ input: inout Input) -> Invalidation? {
        let content: IncomingLine
        do throws(IncomingLine.Fault) {
            content = try IncomingLine.read(line, types, limits) { [weak self] id in
                self?.state.withLock { $0.pending[id]?.answer }
            }
        } catch {
            return .misbehaved(error.why)
        }
        guard input.hasGreeted else { return greet(content, &input) }
        switch content {
        case .hello: return .misbehaved("it greeted twice")
        case .request(let id, let content): return take(content, id: id, &input)
        case .message(let content): return take(content, id: nil, &input)
        case .response(let id, let value, let count):
            guard let files = files(count, &input) else { return Self.missingFiles }
            guard let value else {
                let refusal = Refusal(.malformed, "", id: id, type: nil)
                finish(id, .failure(ChannelError(.refused(refusal), "the answer is not of the expected type")))
                return nil
            }
            finish(id, .success(Reply(value: value, files: files)))
        case .refused(let refusal):
            guard let id = refusal.id else {
                openMessage()
                if !yield(.refused(refusal)) { closeMessage() }
                return nil
            }
            finish(id, .failure(ChannelError(.refused(refusal), "the other side refused: \(refusal.why)")))
        case .goodbye(let why): return .goodbye(why)
        }
        return nil
    }

    private static let missingFiles = Invalidation.misbehaved("a line names more files than came")

    private func greet(_ line: IncomingLine, _ input: inout Input) -> Invalidation? {
        switch line {
        case .hello(let hello):
            guard hello.common != nil else {
                try? send(.goodbye("no common version: this side speaks \(ChannelProtocol.versions)"), [])
                return .misbehaved(
                    "it speaks the versions \(hello.versions), and this side \(ChannelProtocol.versions)")
            }
            input.hasGreeted = true
            state.withLock { $0.accepted = Set(hello.accepts) }
            return nil
        case .goodbye(let why): return .goodbye(why)
        default: return .misbehaved("its first line is no greeting")
        }
    }

    private func take(_ content: IncomingLine.Content, id: Int64?, _ input: inout Input) -> Invalidation? {
        switch content {
        case .value(let value, let count):
            guard let files = files(count, &input) else { return Self.missingFiles }
            openMessage()
            if let id, let value = value as? any ChannelRequest {
                // A request that the program does not take is refused when it is released.
                _ = yield(.request(ReceivedRequest(id, value, files, self)))
            } else if !yield(.message(ReceivedMessage(value: value, files: files))) {
                closeMessage()
            }
        case .refused(let refusal, let count):
            guard files(count, &input) != nil else { return Self.missingFiles }
            // The queue of one that does not read its refusals ends its connection.
            do throws(ChannelError) { try send(.refused(refusal), []) } catch { return .tooSlow }
        }
        return nil
    }

    private func files(_ count: Int, _ input: inout Input) -> ReceivedFiles? {
        guard count >= 0, count <= input.files.count else { return nil }
        defer { input.files.removeFirst(count) }
        return ReceivedFiles(Array(input.files.prefix(count)))
    }

    /// - Returns: `false` if the task that takes the events was canceled.
    private func yield(_ event: ChannelEvent) -> Bool {
        if case .terminated? = state.withLock({ $0.continuation?.yield(event) }) { return false }
        return true
    }

    // MARK: Back pressure

    private func openMessage() {
        state.withLock { state in
            state.open += 1
            guard state.open >= limits.openMessages, state.reads, state.end == nil, let token = state.token else {
                return
            }
            state.reads = false
            loop.change(token, socket.descriptor, interest(state))
        }
    }

    /// The program has taken a message, or answered a request.
    func closeMessage() {
        state.withLock { state in
            state.open -= 1
            guard !state.reads, state.open <= limits.openMessages / 2, state.end == nil, let token = state.token else {
                return
            }
            state.reads = true
            // What the other side sent meanwhile was not read.
            state.heard = .now
            if state.isResting {
                state.isResting = false
                loop.resume(token, socket.descriptor, interest(state))
            } else {
                loop.change(token, socket.descriptor, interest(state))
            }
        }
    }

    // MARK: The end

    /// Ends the connection. The first reason counts.
    func end(_ reason: Invalidation) { end(reason, saying: nil) }

    /// Says goodbye if the queue has room, and ends the connection.
    func close(_ why: String?) { end(.closed, saying: try? bytes(.goodbye(why), files: 0)) }

    private func end(_ reason: Invalidation, saying last: [UInt8]?) {
        let ended = state.withLock { state -> State? in
            guard state.end == nil else { return nil }
            // Under the lock, because the other side may end at once, and this side's reason is the first one.
            if let last { try? enqueue(last, [], &state) }
            state.end = reason
            if let token = state.token { loop.remove(token, socket.descriptor) }
            let old = state
            state.queue.removeAll()
            (state.pending, state.flushed) = ([:], [])
            // Inside of the lock, so that no event follows. The task that takes them only becomes ready to run.
            state.continuation?.yield(.invalidated(reason))
            state.continuation?.finish()
            (state.continuation, state.events) = (nil, nil)
            return old
        }
        guard let ended else { return }
        // The loop's thread may be reading.
        input.withLock { input in
            socket.close()
            input.isClosed = true
            for file in input.files { try? file.close() }
            input.files = []
        }
        for pending in ended.pending.values { pending.finish(.failure(ChannelError(ended: reason))) }
        for body in ended.flushed { body() }
        report(self, false)
    }

    func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (late, reason, next) = state.withLock {
            state -> ([Int64], Invalidation?, ContinuousClock.Instant?) in
            var deadlines: [ContinuousClock.Instant] = []
            var reason: Invalidation?
            if state.accepted == nil {
                if greetingEnd <= now { reason = .silent } else { deadlines.append(greetingEnd) }
            }
            if !state.queue.isEmpty {
                let end = state.queue.lastProgress + limits.patience
                if end <= now { reason = .tooSlow } else { deadlines.append(end) }
            }
            let late = state.pending.filter { $0.value.deadline.map { $0 <= now } ?? false }
            // A process that was stopped, or hangs, sends nothing at all.
            if state.reads, late.values.contains(where: { state.heard < $0.since }) { reason = .silent }
            deadlines += state.pending.values.compactMap(\.deadline).filter { $0 > now }
            return (Array(late.keys), reason, deadlines.min())
        }
        for id in late { finish(id, .failure(ChannelError(.timedOut, "no answer came in time"))) }
        if let reason {
            end(reason)
            return nil
        }
        return next
    }

    private func finish(_ id: Int64, _ result: Result<Reply, ChannelError>) {
        state.withLock { $0.pending.removeValue(forKey: id) }?.finish(result)
    }
}
