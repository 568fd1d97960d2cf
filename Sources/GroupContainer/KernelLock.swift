internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A lock of the kernel's on a file: it dies with the process that holds it, so that it can never be stale.
///
/// Whoever needs a lock that is held already holds on to the same value: the kernel's lock goes with the last of them,
/// so that an inner use cannot release an outer one. Two values are two locks, and may wait for each other.
public final class KernelLock: Sendable {
    /// Whether others may hold the lock too: any number of `shared` holders at once, or one `exclusive` holder alone.
    public enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: FileDescriptor

    /// Waits for the lock; blocks its thread.
    init(_ path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(ContainerError) {
        let descriptor = try fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite)
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
