internal import ShareModel
internal import Synchronization
public import SystemPackage

/// A connection between two processes of a group. Both ends have the same calls.
///
/// A connection that is released is closed, with a goodbye. No call blocks its thread.
public final class ChannelConnection: Sendable {
    let link: Link
    fileprivate let stream: AsyncStream<ChannelEvent>

    init(_ link: Link) { (self.link, stream) = (link, link.takeEvents()) }

    deinit { link.close(nil) }

    /// The process at the other end, as the kernel knows it.
    public var peer: ChannelPeer { link.peer }

    /// Runs tasks on the thread that reads the channels of this process. A task that prefers it takes its events and sends its answers
    /// without a change of the thread. A task that blocks or computes there delays all channels of the process.
    public var executor: any TaskExecutor { link.loop }

    /// Everything that happens, in order, up to ``ChannelEvent/invalidated(_:)``. One task at a time iterates over it.
    ///
    /// When ``ChannelLimits/openMessages`` events have not been taken, nothing more is read from the other side, answers included. So
    /// a task that takes events must not wait for an answer itself. A task that is canceled while it waits for an event ends the
    /// sequence; the connection goes on without it.
    public var events: ChannelEvents { ChannelEvents(connection: self) }

    /// Sends a message. The files stay the caller's.
    ///
    /// The message lies in a queue when this returns, and the kernel may not have it yet: see ``flush()``. If the other side
    /// refuses it, ``events`` has the refusal. If the connection ends first, it may be lost. Use a request for an answer.
    ///
    /// - Throws: ``ChannelError`` if the connection has ended, if the queue is full, or if the message exceeds a limit.
    public func send(_ message: some ChannelMessage, files: [FileDescriptor] = []) throws(ChannelError) {
        try link.send(.message(message, descriptors: files.count), files)
    }

    /// Sends a request, and waits for its answer. The files stay the caller's.
    ///
    /// - Parameters:
    ///   - time: the longest wait; `nil` for no limit. If the other process sent nothing at all meanwhile, the connection ends with
    ///     ``Invalidation/silent``.
    /// - Returns: the answer, and the files that came with it.
    /// - Throws: ``ChannelError``: refused, ended, timed out, or not sent; `CancellationError` if the task is canceled. The other
    ///   side may have done what was requested in each case except a refusal.
    public func request<Request: ChannelRequest>(
        _ request: Request, files: [FileDescriptor] = [], within time: Duration? = .seconds(30)
    ) async throws -> (answer: Request.Answer, files: ReceivedFiles) {
        let wait = AnswerWait()
        let reply = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Link.Reply, any Error>) in
                wait.begin(continuation)
                do throws(ChannelError) {
                    let id = try link.request(request, answer: Request.Answer.self, files, within: time) {
                        wait.end($0)
                    }
                    wait.sent(id, link)
                } catch {
                    wait.end(.failure(error))
                }
            }
        } onCancel: {
            wait.cancel(link)
        }
        guard let answer = reply.value as? Request.Answer else {
            throw ChannelError(.system, "the answer is not of the type that was decoded")
        }
        return (answer, reply.files)
    }

    /// Waits until the kernel has everything that was sent, or the connection has ended.
    public func flush() async {
        await withCheckedContinuation { continuation in link.whenFlushed { continuation.resume() } }
    }

    /// Says goodbye, and ends the connection. What the kernel has not taken is lost: see ``flush()``.
    ///
    /// - Parameter why: the reason, for the other side.
    public func close(_ why: String? = nil) { link.close(why) }
}

/// The wait for one answer. The answer, the failure to send and the cancellation may come at once, and the first one counts.
private final class AnswerWait: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Link.Reply, any Error>?
        var isCanceled = false
        var id: Int64?
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Link.Reply, any Error>) {
        let isCanceled = state.withLock { state in
            if !state.isCanceled { state.continuation = continuation }
            return state.isCanceled
        }
        if isCanceled { continuation.resume(throwing: CancellationError()) }
    }

    func sent(_ id: Int64, _ link: Link) {
        let isCanceled = state.withLock { state in
            state.id = id
            return state.isCanceled
        }
        if isCanceled { link.abandon(id) }
    }

    func end(_ result: Result<Link.Reply, ChannelError>) {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }?.resume(with: result)
    }

    func cancel(_ link: Link) {
        let (continuation, id) = state.withLock { state in
            state.isCanceled = true
            defer { state.continuation = nil }
            return (state.continuation, state.id)
        }
        continuation?.resume(throwing: CancellationError())
        if let id { link.abandon(id) }
    }
}

/// The events of a connection.
public struct ChannelEvents: AsyncSequence, Sendable {
    let connection: ChannelConnection

    /// Begins to take events.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Takes events one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let connection: ChannelConnection
        private var events: AsyncStream<ChannelEvent>.Iterator

        init(connection: ChannelConnection) {
            self.connection = connection
            events = connection.stream.makeAsyncIterator()
        }

        /// The next event; `nil` after the last one, or if the task is canceled.
        public mutating func next() async -> ChannelEvent? {
            let event = await events.next(isolation: #isolation)
            switch event {
            case .message, .refused: connection.link.closeMessage()
            // A request stays open until it is answered.
            case .request, .invalidated, nil: break
            }
            return event
        }
    }
}
