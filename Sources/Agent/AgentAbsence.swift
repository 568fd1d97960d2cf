internal import Files
internal import GroupChannel
internal import GroupContainer
internal import Synchronization
public import SystemPackage

/// Keeps agents away from a container, for as long as it lives or until ``end()``.
///
/// An agent that runs is ordered to stop, and ends after its delivery. One that starts meanwhile ends at once, as beside another
/// agent.
public final class AgentAbsence: Sendable {
    private let lock: Mutex<KernelLock?>

    /// Waits until no agent runs.
    ///
    /// - Parameters:
    ///   - container: its container, which must exist.
    ///   - waits: called with the process of the agent that has to end first.
    /// - Throws: `ContainerError` if the lock cannot be taken; `CancellationError`.
    public init(of container: FilePath, waitingFor waits: (Int32) -> Void) async throws {
        let address = Agent.address(of: container)
        let free = try await BlockingCall.run {
            try ContainerError.converting { try address.keepFree(waiting: false) }
        }
        // Only if the lock is held: where a service manager has the socket, a connection would start an agent.
        if free == nil, let connection = try? address.connect() {
            waits(connection.peer.process)
            // One that does not answer is waited for all the same.
            _ = try? await connection.request(AgentOrder(.stop), within: .seconds(2))
        }
        // A long wait for a lock is announced, with the process that holds it.
        lock = Mutex(
            try await BlockingCall.run {
                try free ?? ContainerError.converting { try address.keepFree(waiting: true) }
            })
    }

    /// Lets agents start again.
    public func end() { lock.withLock { $0 = nil } }
}
