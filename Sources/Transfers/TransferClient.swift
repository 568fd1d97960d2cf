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
        var tries = 0
        while true {
            let connection: ChannelConnection
            do {
                connection = try await self.connection()
            } catch {
                return .failed(RequestFailure(.transient, "the transfer process cannot be reached: \(error)"))
            }
            do {
                // Its own clocks end the request sooner, unless it is stopped.
                return try await connection.request(
                    order, files: file.map { [$0] } ?? [], within: .seconds(order.seconds) + Self.margin
                ).answer
            } catch let error as ChannelError {
                let failure = RequestFailure(.transient, "the transfer process failed: \(error.message)")
                switch error.code {
                case .tooLarge: return .failed(RequestFailure(.permanent, "the request is too large to be passed on"))
                case .queueFull: return .failed(failure)
                case .timedOut:
                    forget(connection)
                    connection.close()
                    return .failed(
                        RequestFailure(.transient, "the transfer process does not answer", mayHaveArrived: true))
                case .ended(let end):
                    forget(connection)
                    // It ends when it is idle, and then it has begun nothing. Another process takes the request.
                    if case .goodbye = end, tries < 3 {
                        tries += 1
                        continue
                    }
                    return .failed(RequestFailure(failure.kind, failure.why, mayHaveArrived: true))
                default: return .failed(RequestFailure(failure.kind, failure.why, mayHaveArrived: true))
                }
            } catch {
                try? connection.send(CancelOrder(number: order.number))
                return .failed(RequestFailure(.transient, "the request was interrupted", mayHaveArrived: true))
            }
        }
    }

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

    private func connect() async throws -> ChannelConnection {
        do throws(ChannelError) { return try address.connect() } catch {
            guard error.code == .noServer else { throw error }
        }
        do throws(Errno) { try DetachedProcess.start(program, arguments) } catch {
            throw RequestFailure(.transient, "\(program) cannot be started: \(error)".with(.installAgain))
        }
        return try await withThrowingTaskGroup(of: ChannelConnection?.self) { [address] group in
            group.addTask { try await address.connectWhenServed() }
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
