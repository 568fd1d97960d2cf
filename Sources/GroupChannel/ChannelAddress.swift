internal import Files
internal import ShareModel
public import SystemPackage

/// Where the processes of a group meet: a name in a folder. The folder's path may have any length.
public struct ChannelAddress: Sendable, Hashable {
    /// The folder. All processes of the group have it in common.
    public var folder: FilePath
    /// The name of the channel, such as `agent`: the socket is `agent.socket`, and the lock of its server `agent.lock`.
    public var name: String

    /// An address.
    public init(folder: FilePath, name: String) { (self.folder, self.name) = (folder, name) }

    var socket: String { name + ".socket" }
    /// The path of the socket. It may be too long for `connect(2)`.
    public var path: FilePath { folder.appending(socket) }
    package var lock: FilePath { folder.appending(name + ".lock") }

    /// Whether a server has the address, also one that is busy or stopped.
    public var isServed: Bool {
        do throws(ChannelError) {
            try Socket.connect(socket, in: folder).close()
            return true
        } catch {
            return error.code == .busy
        }
    }

    /// Connects to the server of the address.
    ///
    /// It does not wait: not for the server's greeting, and not for a server that is busy or stopped.
    ///
    /// - Parameters:
    ///   - types: the types that this side accepts.
    /// - Throws: ``ChannelError``: no server, busy, or a failure of the system.
    public func connect(
        accepting types: ChannelTypes = ChannelTypes(), limits: ChannelLimits = ChannelLimits()
    ) throws(ChannelError) -> ChannelConnection {
        let link = try Link(Socket.connect(socket, in: folder), types, limits)
        try link.start()
        return ChannelConnection(link)
    }

    /// Connects to the server of the address as soon as there is one. The file system wakes the wait when a server of this
    /// module begins; a busy server is tried again after a time that doubles from 10 ms to a second.
    ///
    /// - Throws: ``ChannelError`` for a failure of the system; `CancellationError` if the task is canceled.
    public func connectWhenServed(
        accepting types: ChannelTypes = ChannelTypes(), limits: ChannelLimits = ChannelLimits()
    ) async throws -> ChannelConnection {
        let watch = try FileWatch(folder, name: socket)
        return try await withTaskCancellationHandler {
            var pause = Duration.milliseconds(10)
            while true {
                try Task.checkCancellation()
                do throws(ChannelError) {
                    return try connect(accepting: types, limits: limits)
                } catch {
                    switch error.code {
                    case .busy:
                        try await Task.sleep(for: pause)
                        pause = min(pause * 2, .seconds(1))
                    case .noServer:
                        guard try await BlockingCall.run({ try watch.wait() }) else { throw CancellationError() }
                    default: throw error
                    }
                }
            }
        } onCancel: {
            watch.stop()
        }
    }
}
