internal import Files
internal import Glibc
public import GroupChannel
internal import GroupContainer
public import Ingestion
internal import ShareModel
internal import Synchronization
public import SystemPackage

/// The app of a container: one long-lived process that makes its deliveries, each when it is due, and answers on the channel.
///
/// A kernel lock makes it the only one of its container. It may end at any moment and loses nothing: what is to be done is in
/// the container, and any other process may do it.
public final class Agent: Sendable {
    /// What an agent does, for its log.
    public enum Event: Sendable {
        /// It serves the channel.
        case serves
        /// A step of its deliveries.
        case delivery(StandingDelivery.Event)
        /// A client gave an order.
        case order(AgentOrder.Order, process: Int32)
        /// It could not follow the feed; clients get no hints any more.
        case hintsEnded(String)
    }

    private struct State {
        var deliveries = Summary.Deliveries()
        var isDelivering = false
        var next: Int64?
        var attention: [String] = []
        var stop: (@Sendable () -> Void)?
        var isStopped = false
    }

    /// The longest time without work after which it looks whether its clients have gone.
    private static let patienceLimit = Duration.seconds(600)
    /// The most reasons that a status has.
    private static let attentionLimit = 20

    private let container: FilePath
    private let deliveries: StandingDelivery
    private let options: @Sendable () -> IngestOptions
    private let server: ChannelServer
    private let began: Int64
    private let state = Mutex(State())

    /// An agent, which does nothing yet.
    ///
    /// - Parameters:
    ///   - container: its container, which must exist.
    ///   - inherited: a socket that another process made for it; see ``ServiceManager/socket(_:)``.
    ///   - past: the agent that this process was before; see ``AgentRest``.
    ///   - options: the options of each round of deliveries, for this container.
    public init(
        of container: FilePath, socket inherited: FileDescriptor? = nil, continuing past: AgentPast? = nil,
        options: @escaping @Sendable () -> IngestOptions
    ) {
        self.container = container
        deliveries = StandingDelivery(options: options)
        self.options = options
        began = past?.began ?? options().clock.nanoseconds() / 1_000_000
        let address = Self.address(of: container)
        server = ChannelServer(
            inherited.map { .inherited($0, address) } ?? .address(address),
            accepting: ChannelTypes(AgentStatusRequest.self, AgentOrder.self))
        guard let past else { return }
        server.resume(socket: FileDescriptor(rawValue: past.socket), lock: FileDescriptor(rawValue: past.lock))
        state.withLock { $0.deliveries = past.deliveries }
    }

    /// Where the agent of a container answers.
    public static func address(of container: FilePath) -> ChannelAddress {
        ChannelAddress(folder: ContainerLayout(root: container).run, name: "agent")
    }

    /// Works until its task is canceled, or a client orders it to stop.
    ///
    /// - Parameters:
    ///   - endsWhenIdle: whether to return when no delivery is open that a wait can make.
    ///   - isOver: whether to return after the delivery under way, such as for a newer program; asked when it wakes.
    ///   - patience: whether to return after this time without work and without a client. The lock and the socket are kept then.
    ///   - report: gets what happens, in order.
    /// - Returns: what the next program of the process needs, if it returns because there was no work, or because of `isOver`.
    /// - Throws: `ChannelError` if the container has an agent; `IngestionError` if the container cannot be used.
    @discardableResult
    public func run(
        endsWhenIdle: Bool = false, until isOver: @escaping @Sendable () -> Bool = { false },
        restingAfter patience: Duration? = nil, _ report: @escaping @Sendable (Event) async -> Void
    ) async throws -> AgentRest? {
        while true {
            let rest = try await serve(endsWhenIdle: endsWhenIdle, until: isOver, restingAfter: patience, report)
            // Whoever added a delivery while the lock was held relies on this agent. So it looks again without the lock.
            guard rest == nil, endsWhenIdle, !Task.isCancelled, !isStopped, !isOver(), try await deliveries.hasWork()
            else { return rest }
        }
    }

    /// Whether a client has ordered it to stop.
    public var isStopped: Bool { state.withLock(\.isStopped) }

    private func serve(
        endsWhenIdle: Bool, until isOver: @escaping @Sendable () -> Bool, restingAfter patience: Duration?,
        _ report: @escaping @Sendable (Event) async -> Void
    ) async throws -> AgentRest? {
        let connections = try server.start()
        defer { server.stop() }
        await report(.serves)
        return try await withThrowingTaskGroup { group in
            group.addTask { [self] in
                await withDiscardingTaskGroup { group in
                    for await connection in connections { group.addTask { await self.answer(connection, report) } }
                }
            }
            group.addTask { [self] in await hint(report) }
            let work = Task { [self] in
                var patience = patience
                while true {
                    let rest = try await deliveries.run(
                        endsWhenIdle: endsWhenIdle, until: isOver, restingAfter: patience
                    ) { event in
                        self.note(event)
                        await report(.delivery(event))
                    }
                    guard let rest, let limit = patience else {
                        guard isOver(), !self.isStopped, !Task.isCancelled else { return nil as AgentRest? }
                        return server.suspend(closing: true).map { self.rest(nil, $0.socket, $0.lock) }
                    }
                    if let kept = server.suspend() { return self.rest(rest, kept.socket, kept.lock) }
                    // A client is connected, perhaps for days.
                    patience = min(max(limit * 2, .seconds(1)), max(limit, Self.patienceLimit))
                }
            }
            let isStopped = state.withLock { state in
                state.stop = { work.cancel() }
                return state.isStopped
            }
            if isStopped { work.cancel() }
            defer { group.cancelAll() }
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        }
    }

    private func rest(_ rest: StandingDelivery.Rest?, _ socket: FileDescriptor, _ lock: FileDescriptor) -> AgentRest {
        let deliveries = state.withLock(\.deliveries)
        return AgentRest(
            until: rest?.until, watch: rest?.watch,
            past: AgentPast(
                process: getpid(), socket: socket.rawValue, lock: lock.rawValue, began: began,
                deliveries: deliveries))
    }

    /// Counts what a status tells, and says what needs a person.
    private func note(_ event: StandingDelivery.Event) {
        var why: String?
        var broadcast: String?
        state.withLock { state in
            switch event {
            // The round says again what is still wrong.
            case .began: (state.isDelivering, state.next, state.attention) = (true, nil, [])
            case .ended(let delivery): state.deliveries.add(delivery.record.outcome)
            case .rests(let next): (state.isDelivering, state.next) = (false, next)
            case .changedSettings: state.attention = []
            // The status has it with the open deliveries.
            case .needsPerson(let open): broadcast = open.why
            case .obstructed(let text): why = text
            case .failed(let error): why = error.message
            }
            guard let why, !state.attention.contains(why) else { return }
            state.attention = state.attention.suffix(Self.attentionLimit - 1) + [why]
        }
        // No one may listen.
        if let why = why ?? broadcast { _ = try? server.broadcast(AttentionNeeded(why: why)) }
    }

    // MARK: - The channel

    private func answer(
        _ connection: ChannelConnection, _ report: @escaping @Sendable (Event) async -> Void
    ) async {
        for await event in connection.events where !Task.isCancelled {
            guard case .request(let request) = event else { continue }
            if let order = request.value as? AgentOrder {
                carryOut(order.order)
                await report(.order(order.order, process: connection.peer.process))
            }
            do { try request.answer(try await status()) } catch let error as IngestionError {
                request.refuse(.unanswered, why: error.message)
            } catch let error as ChannelError where error.code != .tooLarge {
                // A client that has gone needs no answer to what it asked before.
                return
            } catch {}
        }
    }

    private func carryOut(_ order: AgentOrder.Order) {
        switch order {
        case .deliver: deliveries.deliverNow()
        case .pause: deliveries.pause()
        case .resume: deliveries.resume()
        case .stop:
            state.withLock { state in
                state.isStopped = true
                return state.stop
            }?()
        }
    }

    private func status() async throws -> AgentStatus {
        let open = try await deliveries.open()
        return state.withLock { state in
            AgentStatus(
                process: getpid(), version: Release.version, began: began,
                activity: deliveries.isPaused ? .paused : state.isDelivering ? .delivering : .resting, next: state.next,
                deliveries: state.deliveries, open: open, attention: state.attention,
                uses: AgentStatus.Options(options()))
        }
    }

    /// Sends each change of the container to the clients, until the task is canceled.
    private func hint(_ report: @escaping @Sendable (Event) async -> Void) async {
        do {
            let feed = try ChangeFeed(reading: container)
            var request = ChangeFeed.Request()
            (request.since, request.follows) = (try feed.end(), true)
            try await feed.read(request) { [server] events in
                let changes = events.compactMap { if case .change(let change) = $0 { change } else { nil } }
                for start in stride(from: 0, to: changes.count, by: ContainerChanged.limit) {
                    let part = Array(changes[start..<min(start + ContainerChanged.limit, changes.count)])
                    try server.broadcast(ContainerChanged(changes: part))
                }
            }
        } catch is CancellationError {
        } catch {
            await report(.hintsEnded("\(error)"))
        }
    }
}
