internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A lock of the kernel's on a file: it dies with the process that holds it, so that it can never be stale.
///
/// Whoever needs a lock that is held already holds on to the same value: the kernel's lock goes with the last of them,
/// so that an inner use cannot release an outer one. Two values are two locks, and may wait for each other:
/// so may two batches, of which the earlier waits for nobody.
public final class KernelLock: Sendable {
    /// Whether others may hold the lock too: any number of `shared` holders at once, or one `exclusive` holder alone.
    public enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: FileDescriptor

    /// Waits for the lock; blocks its thread.
    convenience init(_ path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(ContainerError) {
        try self.init(fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite), mode, path)
    }

    /// The shared lock for somebody who only reads, also where its file cannot be written; `nil` where that is not there
    /// and the file system is read-only, which has no writers.
    static func forReading(_ path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) -> KernelLock? {
        do {
            try fileSystem.ensureFolder(path.removingLastComponent())
            return try KernelLock(path, .shared, fileSystem)
        } catch {
            guard error.code == .readOnly || error.code == .system else { throw error }
            if let file = try? fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking]) {
                return try KernelLock(file, .shared, path)
            }
            guard error.code != .readOnly else { return nil }
            throw ContainerError(
                .system,
                "\(error). Reading objects needs this lock: run as the container's owner, or on a copy of your own")
        }
    }

    /// Waits for the lock on an open file, which is closed with it.
    private init(_ descriptor: FileDescriptor, _ mode: Mode, _ path: FilePath) throws(ContainerError) {
        while flock(descriptor.rawValue, mode == .shared ? LOCK_SH : LOCK_EX) != 0 {
            guard errno == EINTR else {
                let failure = Errno(rawValue: errno)
                try? descriptor.close()
                throw ContainerError(failure, "locking", path)
            }
        }
        self.descriptor = descriptor
    }

    /// Takes the lock where nobody's stands against it; `nil` where one does.
    init?(trying path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(ContainerError) {
        let descriptor = try fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite)
        guard flock(descriptor.rawValue, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
            let failure = Errno(rawValue: errno)
            try? descriptor.close()
            guard failure != .wouldBlock else { return nil }
            throw ContainerError(failure, "locking", path)
        }
        self.descriptor = descriptor
    }

    /// Takes the lock on a folder where nobody holds it; `nil` where somebody does.
    init?(folder path: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        let descriptor = try fileSystem.open(path, .readOnly, .directory)
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? descriptor.close()
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { try? descriptor.close() }
}
