internal import Synchronization
internal import SystemPackage

/// A listening socket and its connections.
final class Listener: EventLoop.Source {
    private struct State {
        var links: [ObjectIdentifier: Link] = [:]
        var greeted: [ObjectIdentifier: Link] = [:]
        var token: EventLoop.Token?
        var isStopped = false
        /// Accepting failed for want of descriptors or memory, and is tried again then.
        var retry: ContinuousClock.Instant?
    }

    private let socket: Socket
    private let types: ChannelTypes
    private let limits: ChannelLimits
    private let admits: @Sendable (ChannelPeer) -> Bool
    private let connections: AsyncStream<ChannelConnection>.Continuation
    private let state = Mutex(State())

    /// The most connections that one turn of the loop accepts.
    private static let turn = 64
    /// The time until the next attempt, if no connection can be accepted.
    private static let retryDelay = Duration.milliseconds(100)

    init(
        _ socket: Socket, _ types: ChannelTypes, _ limits: ChannelLimits,
        _ admits: @escaping @Sendable (ChannelPeer) -> Bool, _ connections: AsyncStream<ChannelConnection>.Continuation
    ) {
        (self.socket, self.types, self.limits, self.admits) = (socket, types, limits, admits)
        self.connections = connections
    }

    /// The links that have greeted and have not ended. An end is told before the link is removed here.
    var greeted: [Link] { state.withLock { Array($0.greeted.values) }.filter { !$0.hasEnded } }

    func start() throws(ChannelError) {
        let loop = try EventLoop.shared()
        try state.withLock { state throws(ChannelError) in
            state.token = try loop.add(self, socket.descriptor, .readable)
        }
    }

    func take(_ readiness: EventLoop.Readiness) {
        for _ in 0..<Self.turn {
            do throws(Errno) {
                // Under the lock, because a socket that is closed meanwhile may have the number of another one.
                let next = try state.withLock { state throws(Errno) in state.isStopped ? nil : try socket.accept() }
                guard let accepted = next else { return }
                connect(accepted)
            } catch {
                return pause()
            }
        }
    }

    /// The kernel reports the waiting connection for as long as it waits, so the listener has to look away.
    private func pause() {
        guard let loop = try? EventLoop.shared() else { return }
        let retry = ContinuousClock.now + Self.retryDelay
        state.withLock { state in
            guard !state.isStopped, let token = state.token else { return }
            state.retry = retry
            loop.change(token, socket.descriptor, [])
        }
        loop.wake(at: retry)
    }

    func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        state.withLock { state in
            guard let retry = state.retry, retry > now else {
                if state.retry != nil, let token = state.token, !state.isStopped {
                    try? EventLoop.shared().change(token, socket.descriptor, .readable)
                }
                state.retry = nil
                return nil
            }
            return retry
        }
    }

    private func connect(_ accepted: Socket) {
        guard let link = try? Link(accepted, types, limits, report: { [weak self] in self?.take($0, isGreeted: $1) })
        else {
            return
        }
        let refusal = admits(link.peer) ? add(link) : "not allowed"
        // A link that does not start ends, and is forgotten like any other.
        if let refusal { link.close(refusal) } else { try? link.start() }
    }

    /// - Returns: why the link is refused.
    private func add(_ link: Link) -> String? {
        state.withLock { state in
            guard !state.isStopped else { return "the server stops" }
            guard state.links.count < limits.connections else {
                return "there are \(limits.connections) connections already"
            }
            state.links[ObjectIdentifier(link)] = link
            return nil
        }
    }

    private func take(_ link: Link, isGreeted: Bool) {
        guard isGreeted else { return forget(link) }
        let isOpen = state.withLock { state in
            guard state.links[ObjectIdentifier(link)] != nil else { return false }
            state.greeted[ObjectIdentifier(link)] = link
            return true
        }
        if isOpen { connections.yield(ChannelConnection(link)) }
    }

    private func forget(_ link: Link) {
        state.withLock { state in
            state.links[ObjectIdentifier(link)] = nil
            state.greeted[ObjectIdentifier(link)] = nil
        }
    }

    /// Stops to listen, and leaves the socket open, with the connections that wait there.
    ///
    /// - Parameter closing: whether to close connections. Otherwise nothing changes if there is one.
    /// - Returns: the socket; `nil` if a client is connected.
    func suspend(closing: Bool) -> Socket? {
        let links: [Link]? = state.withLock { state in
            guard closing || state.links.isEmpty, !state.isStopped else { return nil }
            state.isStopped = true
            if let token = state.token { try? EventLoop.shared().remove(token, socket.descriptor) }
            state.token = nil
            return Array(state.links.values)
        }
        guard let links else { return nil }
        connections.finish()
        for link in links { link.close("the server starts again") }
        return socket
    }

    func stop() {
        let links = state.withLock { state in
            state.isStopped = true
            if let token = state.token { try? EventLoop.shared().remove(token, socket.descriptor) }
            state.token = nil
            socket.close()
            return Array(state.links.values)
        }
        connections.finish()
        for link in links { link.close("the server stops") }
    }
}
