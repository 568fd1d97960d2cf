internal import CSocket
package import Files
internal import Glibc
internal import ShareModel
internal import Synchronization
public import SystemPackage

/// The server of an address. A kernel lock makes it the only one.
public final class ChannelServer: Sendable {
    /// Where the connections come from.
    public enum Place: Sendable {
        /// The server makes the socket.
        case address(ChannelAddress)
        /// Another process, such as systemd, made the socket, and passed it to this one. The lock is that of the address.
        case inherited(FileDescriptor, ChannelAddress)
    }

    private struct State {
        var listener: Listener?
        var lock: KernelLock?
        /// What tells the socket that this server made from one that has its name later; see `FileSystem`.
        var identity: String?
        /// Those of a suspended server.
        var suspended: (socket: Socket, lock: KernelLock)?
    }

    private let types: ChannelTypes
    private let limits: ChannelLimits
    private let place: Place
    private let admits: @Sendable (ChannelPeer) -> Bool
    private let state = Mutex(State())

    /// A server, which does not listen yet.
    ///
    /// - Parameters:
    ///   - types: the types that the server accepts.
    ///   - admits: decides about each connection before anything is read from it. It must not block. By default, processes of the
    ///     same user are admitted.
    public init(
        _ place: Place, accepting types: ChannelTypes, limits: ChannelLimits = ChannelLimits(),
        admitting admits: @escaping @Sendable (ChannelPeer) -> Bool = \.isSameUser
    ) {
        (self.place, self.types, self.limits, self.admits) = (place, types, limits, admits)
    }

    deinit { stop() }

    /// Begins to listen. A stopped server can start again.
    ///
    /// - Returns: each connection after its greeting. A connection that is not taken is closed with the sequence.
    /// - Throws: ``ChannelError``: another process serves the address, and nothing was changed; or a failure of the system.
    public func start() throws(ChannelError) -> AsyncStream<ChannelConnection> {
        let address = place.address
        return try state.withLock { state throws(ChannelError) in
            let (socket, lock): (Socket, KernelLock)
            if let suspended = state.suspended { (socket, lock) = suspended } else { (socket, lock) = try open() }
            state.suspended = nil
            let (connections, continuation) = AsyncStream<ChannelConnection>.makeStream()
            let listener = Listener(socket, types, limits, admits, continuation)
            do throws(ChannelError) {
                try listener.start()
            } catch {
                listener.stop()
                throw error
            }
            (state.listener, state.lock, state.identity) = (listener, lock, identity(address))
            return connections
        }
    }

    private func open() throws(ChannelError) -> (socket: Socket, lock: KernelLock) {
        let lock = try Self.lock(place.address)
        switch place {
        case .address(let address):
            // The lock is ours, so the socket of a server that died has no listener. A service manager may keep one.
            if address.isServed { throw Self.served(address, by: Self.listener(address)) }
            return (try Socket.listen(address.socket, in: address.folder), lock)
        // Stopping closes it, and starting again needs it.
        case .inherited(let descriptor, _): return (try Socket(duplicating: descriptor), lock)
        }
    }

    /// Stops to listen, but keeps the socket and the lock, so that clients wait for an answer. Another program of this process, or
    /// ``start()``, goes on with them.
    ///
    /// - Parameter closing: whether to say goodbye to clients. Otherwise nothing changes while one is connected.
    /// - Returns: the descriptors of the socket and of the lock, which the server owns; `nil` if a client is connected, or the server
    ///   does not listen.
    public func suspend(closing: Bool = false) -> (socket: FileDescriptor, lock: FileDescriptor)? {
        state.withLock { state in
            guard let lock = state.lock, let socket = state.listener?.suspend(closing: closing) else { return nil }
            state.suspended = (socket, lock)
            (state.listener, state.lock, state.identity) = (nil, nil, nil)
            return (socket.descriptor, lock.descriptor)
        }
    }

    /// Takes over what an earlier program of this process kept; see ``suspend()``. The next ``start()`` goes on with it.
    ///
    /// - Parameters:
    ///   - socket: the descriptor of the socket. The server owns it from now on.
    ///   - lock: the descriptor of the lock. The server owns it from now on.
    public func resume(socket: FileDescriptor, lock: FileDescriptor) {
        state.withLock { $0.suspended = (Socket(descriptor: socket), KernelLock(held: lock)) }
    }

    private static func lock(_ address: ChannelAddress) throws(ChannelError) -> KernelLock {
        do {
            if let lock = try KernelLock(trying: address.lock, .exclusive, SystemFileSystem.system) { return lock }
        } catch {
            throw ChannelError(.system, error.message)
        }
        throw served(address, by: listener(address))
    }

    /// The process that listens at the address.
    private static func listener(_ address: ChannelAddress) -> Int32? {
        (try? Socket.connect(address.socket, in: address.folder)).flatMap { socket in
            defer { socket.close() }
            return try? ChannelPeer(of: socket.descriptor).process
        }
    }

    private static func served(_ address: ChannelAddress, by process: Int32?) -> ChannelError {
        let name = process.map { "process \($0)" } ?? "another process"
        return ChannelError(
            .alreadyServed(process: process), "\(name) serves \(address.folder.appending(address.socket)) already")
    }

    /// Says goodbye to all connections, and removes the socket that this server made.
    public func stop() {
        state.withLock { state in
            guard let listener = state.listener else { return }
            if case .address(let address) = place {
                // Only the holder of the lock removes the name. The folder may have been replaced, with its lock, and then the
                // name is that of another server.
                if let own = state.identity, own == identity(address) {
                    try? SystemFileSystem.system.remove(address.folder.appending(address.socket), isFolder: false)
                }
            }
            listener.stop()
            (state.listener, state.lock, state.identity) = (nil, nil, nil)
        }
    }

    private func identity(_ address: ChannelAddress) -> String? {
        try? SystemFileSystem.system.identity(of: address.folder.appending(address.socket))
    }

    /// The processes that are connected and have greeted.
    public var peers: [ChannelPeer] { links.map(\.peer) }

    private var links: [Link] { state.withLock { $0.listener }?.greeted ?? [] }

    /// Sends a message to each connection whose other side accepts it. One that does not read is dropped, and delays no other.
    ///
    /// - Returns: the number of connections that it was queued for.
    /// - Throws: ``ChannelError`` if the message exceeds a limit.
    @discardableResult
    public func broadcast<Message: ChannelMessage>(_ message: Message) throws(ChannelError) -> Int {
        let links = links.filter { $0.accepts(Message.type) }
        guard let first = links.first else { return 0 }
        let bytes = try first.bytes(.message(message, descriptors: 0), files: 0)
        var count = 0
        for link in links {
            do throws(ChannelError) {
                try link.send(bytes, [])
                count += 1
            } catch {
                if error.code == .queueFull { link.end(.tooSlow) }
            }
        }
        return count
    }
}

extension ChannelServer.Place {
    fileprivate var address: ChannelAddress {
        switch self {
        case .address(let address), .inherited(_, let address): address
        }
    }
}

extension ChannelAddress {
    /// Whether a server holds the lock of the address. Unlike a connection, this starts no server where a service manager has the
    /// socket.
    package var hasServer: Bool {
        let fileSystem = SystemFileSystem.system
        guard (try? fileSystem.exists(lock)) == true else { return false }
        return (try? KernelLock(trying: lock, .shared, fileSystem)) == nil
    }

    /// Keeps servers away from the address for as long as the result lives; `nil` if there is one.
    ///
    /// - Parameter waits: whether to wait for the end of a server; blocks its thread.
    /// - Throws: `FileError`; `CancellationError` if a canceled task did not get the lock.
    package func keepFree(waiting waits: Bool) throws -> KernelLock? {
        let fileSystem = SystemFileSystem.system
        try fileSystem.ensureFolder(folder)
        return try waits
            ? KernelLock(lock, .exclusive, fileSystem) : KernelLock(trying: lock, .exclusive, fileSystem)
    }
}
