internal import Files
internal import GroupChannel
internal import Synchronization

/// A connection to a session, whose process gets the events.
package final class TransferSession: Sendable {
    /// Why there is none.
    package enum Refusal: Error, Equatable {
        case inUseByAnotherProcess(process: Int32)
        case refused(why: String)
        /// The process did not confirm an event in time, or the transfer process has ended.
        case disconnected
    }

    package let name: String
    private let connection: ChannelConnection

    private init(_ name: String, _ connection: ChannelConnection) { (self.name, self.connection) = (name, connection) }

    /// Connects to a session.
    ///
    /// - Parameter onlyForEvents: whether to connect only if there is an event.
    /// - Throws: ``Refusal``; ``RequestFailure`` if the transfer process cannot be reached; `CancellationError`.
    package static func join(_ name: String, by client: TransferClient, onlyForEvents: Bool = false) async throws
        -> TransferSession
    {
        let connection = try await client.connectForEvents()
        do {
            switch try await connection.request(JoinOrder(session: name, onlyForEvents: onlyForEvents)).answer {
            case .joined: return TransferSession(name, connection)
            case .inUseByAnotherProcess(let process): throw Refusal.inUseByAnotherProcess(process: process)
            case .refused(let why): throw Refusal.refused(why: why)
            }
        } catch let error as ChannelError {
            throw RequestFailure(.transient, "the transfer process failed: \(error.message)")
        }
    }

    /// Takes the events of the session, in order, until the connection ends or the task is canceled.
    ///
    /// - Parameter take: gets events, and returns whether to go on. The ends among them are confirmed when it returns. If it throws, they
    ///   come again.
    /// - Throws: ``Refusal/disconnected``; an error of `take`.
    package func run(_ take: @Sendable ([TransferEvent]) async throws -> Bool) async throws {
        for await event in connection.events {
            guard case .message(let message) = event, let own = message.value as? TransferEvents else { continue }
            let goesOn = try await working { try await take(own.events) }
            let ends = own.events.compactMap(\.end)
            if !ends.isEmpty { try? connection.send(ConfirmOrder(ends)) }
            if !goesOn { return }
        }
        if !Task.isCancelled { throw Refusal.disconnected }
    }

    /// Runs `body`, and tells the transfer process meanwhile that this one is at work. A stopped process does not tell.
    private func working<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let telling = Task { [connection] in
            while true {
                try await Task.sleep(for: TransferLimits.confirmation / 4)
                try connection.send(WorkingNotice())
            }
        }
        defer { telling.cancel() }
        return try await body()
    }

    /// Ends the connection to the session.
    ///
    /// - Throws: ``Refusal/disconnected``.
    package func leave(_ manner: LeaveOrder.Manner = .disconnect) async throws {
        do {
            let answer = try await connection.request(LeaveOrder(manner)).answer
            connection.close()
            guard answer == .left else { throw Refusal.disconnected }
        } catch is ChannelError {
            throw Refusal.disconnected
        }
    }
}
