internal import CSocket
internal import Files
internal import Glibc
internal import SystemPackage

/// A local stream socket. Its calls never wait.
struct Socket: Sendable {
    let descriptor: FileDescriptor

    /// What one reading brought.
    enum Reading {
        case bytes(Int, descriptors: [FileDescriptor])
        /// There is nothing yet.
        case nothing
        case end
        /// More descriptors came than one reading takes. The kernel has closed them.
        case tooManyDescriptors
    }

    init(descriptor: FileDescriptor) { self.descriptor = descriptor }

    init(duplicating other: FileDescriptor) throws(ChannelError) {
        descriptor = try other.duplicated()
        // Its maker may have left it as it was. A call that waits would stop the loop.
        _ = fcntl(descriptor.rawValue, F_SETFL, fcntl(descriptor.rawValue, F_GETFL) | O_NONBLOCK)
    }

    /// The most descriptors that one call sends or takes.
    static let descriptorLimit = Int(CSOCKET_DESCRIPTORS)

    /// Connects to a socket in a folder.
    static func connect(_ name: String, in folder: FilePath) throws(ChannelError) -> Socket {
        let folder = try Folder(folder)
        defer { withExtendedLifetime(folder) {} }
        let descriptor = csocket_connect(folder.directory.descriptor.rawValue, name)
        guard descriptor < 0 else { return Socket(descriptor: FileDescriptor(rawValue: descriptor)) }
        let failure = Errno(rawValue: errno)
        switch failure {
        case .noSuchFileOrDirectory, .connectionRefused:
            throw ChannelError(.noServer, "no process serves \(folder.path.appending(name))")
        case .resourceTemporarilyUnavailable:
            throw ChannelError(.busy, "the server of \(folder.path.appending(name)) does not accept connections now")
        default: throw ChannelError(system: failure, "connecting to \(folder.path.appending(name))")
        }
    }

    /// Listens under a name in a folder. The name replaces a stale one.
    static func listen(_ name: String, in folder: FilePath) throws(ChannelError) -> Socket {
        let folder = try Folder(folder)
        defer { withExtendedLifetime(folder) {} }
        let descriptor = csocket_listen(folder.directory.descriptor.rawValue, name, backlog)
        guard descriptor >= 0 else {
            throw ChannelError(system: Errno(rawValue: errno), "listening on \(folder.path.appending(name))")
        }
        return Socket(descriptor: FileDescriptor(rawValue: descriptor))
    }

    /// The connections that the kernel keeps for a server that does not accept them at once.
    private static let backlog: Int32 = 128

    /// Accepts a connection; `nil` if there is none.
    func accept() throws(Errno) -> Socket? {
        let accepted = csocket_accept(descriptor.rawValue)
        if accepted >= 0 { return Socket(descriptor: FileDescriptor(rawValue: accepted)) }
        let failure = Errno(rawValue: errno)
        guard failure == .resourceTemporarilyUnavailable else { throw failure }
        return nil
    }

    /// Sends bytes, and descriptors with the first of them.
    ///
    /// - Returns: the number of bytes that the kernel took; `nil` if the other side has ended.
    func send(_ bytes: ArraySlice<UInt8>, _ descriptors: [FileDescriptor]) -> Int? {
        let numbers = descriptors.map(\.rawValue)
        let sent = bytes.withUnsafeBytes {
            csocket_send(descriptor.rawValue, $0.baseAddress, $0.count, numbers, numbers.count)
        }
        if sent >= 0 { return sent }
        let failure = errno
        if failure == EAGAIN { return 0 }
        // A line may have been cut. The loop sees the end, after what the other side sent before.
        if failure != EPIPE, failure != ECONNRESET { shutdown(descriptor.rawValue, Int32(SHUT_RDWR)) }
        return nil
    }

    func receive(into space: UnsafeMutableRawBufferPointer) -> Reading {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(CSOCKET_DESCRIPTORS)) { numbers in
            var count = 0
            let received = csocket_receive(
                descriptor.rawValue, space.baseAddress, space.count, numbers.baseAddress, &count)
            if received > 0 {
                return .bytes(received, descriptors: numbers.prefix(count).map { FileDescriptor(rawValue: $0) })
            }
            guard received < 0 else { return .end }
            return errno == EAGAIN ? .nothing : errno == EMSGSIZE ? .tooManyDescriptors : .end
        }
    }

    func close() { try? descriptor.close() }

    /// An open folder, which needs no right to list it.
    private struct Folder {
        let path: FilePath
        let directory: Directory

        init(_ path: FilePath) throws(ChannelError) {
            self.path = path
            do {
                directory = try Directory(path)
            } catch {
                throw error == .noSuchFileOrDirectory
                    ? ChannelError(.noServer, "there is no folder \(path)")
                    : ChannelError(system: error, "opening \(path)")
            }
        }
    }
}

extension FileDescriptor {
    /// A second descriptor of the same open file, which started programs do not inherit.
    func duplicated() throws(ChannelError) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw ChannelError(system: Errno(rawValue: errno), "duplicating a descriptor") }
        return FileDescriptor(rawValue: copy)
    }
}
