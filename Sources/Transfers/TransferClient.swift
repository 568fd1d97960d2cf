internal import Accounts
internal import Files
internal import GroupChannel
internal import ShareModel
internal import Synchronization
package import SystemPackage

/// Sends requests through a container's transfer process, and starts that if there is none.
package final class TransferClient: Sendable {
    /// The name of the program.
    package static let program: FilePath.Component = "sluice-transfer"
    /// The name of its channel.
    package static let channel = "transfer"

    private struct State {
        var connection: Task<ChannelConnection, any Error>?
        /// The connection that the task has made.
        weak var current: ChannelConnection?
        var last: Int64 = 0
    }

    private let address: ChannelAddress
    private let program: FilePath
    private let arguments: [String]
    private let state = Mutex(State())

    /// The time in which a new process must serve.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - container: the folder of the container.
    ///   - run: the folder of its channels.
    ///   - program: the transfer program.
    ///   - accountProgram: the program that keeps logins; `nil` for the one beside the transfer program.
    package init(container: FilePath, run: FilePath, program: FilePath, accountProgram: FilePath?) {
        address = ChannelAddress(folder: run, name: Self.channel)
        self.program = program
        arguments = [container.string, run.string] + (accountProgram.map { [$0.absolute.string] } ?? [])
    }

    /// Makes a request. If the task is canceled, the request ends; the service may have got it.
    ///
    /// - Parameters:
    ///   - order: its number is replaced.
    ///   - file: the file of its body, which stays the caller's.
    package func perform(_ order: RequestOrder, file: FileDescriptor? = nil) async -> RequestEnd {
        var order = order
        order.number = state.withLock { state in
            state.last += 1
            return state.last
        }
        do {
            return try await ask(
                order, files: file.map { [$0] } ?? [], within: .seconds(order.seconds) + Self.margin)
        } catch let failure as RequestFailure {
            return .failed(failure)
        } catch {
            if let connection = state.withLock(\.current) { try? connection.send(CancelOrder(number: order.number)) }
            return .failed(RequestFailure(.transient, "the request was interrupted", mayHaveArrived: true))
        }
    }

    /// Records a transfer; it is durable when this returns.
    package func record(_ order: TransferOrder) async -> RecordAnswer {
        do { return try await ask(RecordOrder(order)) } catch let failure as RequestFailure {
            return .refused(failure)
        } catch {
            return .refused(RequestFailure(.transient, "the request was interrupted"))
        }
    }

    /// Changes a transfer.
    ///
    /// - Throws: ``RequestFailure`` if the process cannot be reached; `CancellationError`.
    package func change(_ key: String, _ change: ChangeOrder.Change, end: Int64? = nil) async throws -> ChangeAnswer {
        try await ask(ChangeOrder(key, change, end: end))
    }

    /// Makes the process look for transfers that are due, and starts it if there is none.
    ///
    /// - Parameter isNow: whether those that wait for a later try are tried now.
    /// - Returns: the number of open transfers.
    /// - Throws: ``RequestFailure`` if the process cannot be reached; `CancellationError`.
    @discardableResult
    package func look(isNow: Bool = false) async throws -> Int { try await ask(LookOrder(isNow: isNow)).open }

    /// - Throws: ``RequestFailure``; `CancellationError`.
    private func ask<Order: ChannelRequest>(
        _ order: Order, files: [FileDescriptor] = [], within time: Duration = .seconds(30)
    ) async throws -> Order.Answer {
        var tries = 0
        while true {
            let connection: ChannelConnection
            do {
                connection = try await self.connection()
            } catch {
                throw RequestFailure(.transient, "the transfer process cannot be reached: \(error)")
            }
            do {
                // Its own clocks end a request sooner, unless it is stopped.
                return try await connection.request(order, files: files, within: time).answer
            } catch let error as ChannelError {
                let failure = RequestFailure(.transient, "the transfer process failed: \(error.message)")
                switch error.code {
                case .tooLarge: throw RequestFailure(.permanent, "the request is too large to be passed on")
                case .queueFull: throw failure
                case .timedOut:
                    forget(connection)
                    connection.close()
                    throw RequestFailure(
                        .transient, "the transfer process does not answer", mayHaveArrived: true)
                case .ended(let end):
                    forget(connection)
                    // It ends when it is idle, and then it has begun nothing. Another process takes the request.
                    if case .goodbye = end, tries < 3 {
                        tries += 1
                        continue
                    }
                    throw RequestFailure(failure.kind, failure.why, mayHaveArrived: true)
                default: throw RequestFailure(failure.kind, failure.why, mayHaveArrived: true)
                }
            }
        }
    }

    /// A connection for a session, which gets its events.
    func connectForEvents() async throws -> ChannelConnection { try await connect(ChannelTypes(TransferEvents.self)) }

    /// What a request may take longer than its own time.
    private static let margin = Duration.seconds(15)

    /// Makes the next request connect again, unless another one has done so.
    private func forget(_ connection: ChannelConnection?) {
        state.withLock { state in
            if connection == nil || state.current === connection { (state.connection, state.current) = (nil, nil) }
        }
    }

    /// The connection of all requests.
    private func connection() async throws -> ChannelConnection {
        let task = state.withLock { state in
            if let connection = state.connection { return connection }
            // A task of its own: the cancellation of one request must not end the wait of another one.
            let task = Task { [self] in try await connect() }
            state.connection = task
            return task
        }
        do {
            let connection = try await task.value
            state.withLock { if $0.connection == task { $0.current = connection } }
            return connection
        } catch {
            forget(nil)
            throw error
        }
    }

    private func connect(_ types: ChannelTypes = ChannelTypes()) async throws -> ChannelConnection {
        do throws(ChannelError) { return try address.connect(accepting: types) } catch {
            guard error.code == .noServer else { throw error }
        }
        do throws(Errno) { try DetachedProcess.start(program, arguments) } catch {
            throw RequestFailure(.transient, "\(program) cannot be started: \(error)".with(.installAgain))
        }
        return try await withThrowingTaskGroup(of: ChannelConnection?.self) { [address] group in
            group.addTask { try await address.connectWhenServed(accepting: types) }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let connection = try await group.next() ?? nil else {
                throw RequestFailure(.transient, "\(program) does not begin to serve")
            }
            return connection
        }
    }
}

extension RequestFailure: CustomStringConvertible {
    package var description: String { why }
}
