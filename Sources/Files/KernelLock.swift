internal import Glibc
package import SystemPackage

/// A lock of the kernel's on a file: it dies with the process that holds it, so that it can never be stale.
///
/// Whoever needs a lock that is held already holds on to the same value: the kernel's lock goes with the last of them,
/// so that an inner use cannot release an outer one. Two values are two locks, and may wait for each other:
/// so may two batches, of which the earlier waits for nobody.
package final class KernelLock: Sendable {
    /// Whether others may hold the lock too: any number of `shared` holders at once, or one `exclusive` holder alone.
    package enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: FileDescriptor

    /// Waits for the lock; blocks its thread.
    package convenience init(_ path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(FileError) {
        try self.init(fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite), mode, path)
    }

    /// The shared lock for somebody who only reads, also where its file cannot be written; `nil` where that is not there
    /// and the file system is read-only, which has no writers.
    package static func forReading(_ path: FilePath, _ fileSystem: any FileSystem) throws(FileError) -> KernelLock? {
        do {
            try fileSystem.ensureFolder(path.removingLastComponent())
            return try KernelLock(path, .shared, fileSystem)
        } catch {
            guard [.readOnly, .denied, .system].contains(error.code) else { throw error }
            if let file = try? fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking]) {
                return try KernelLock(file, .shared, path)
            }
            guard error.code != .readOnly else { return nil }
            throw FileError(
                error.code, "\(error.message). Reading objects needs this lock")
        }
    }

    /// Waits for the lock on an open file, which is closed with it.
    private init(_ descriptor: FileDescriptor, _ mode: Mode, _ path: FilePath) throws(FileError) {
        while flock(descriptor.rawValue, mode == .shared ? LOCK_SH : LOCK_EX) != 0 {
            guard errno == EINTR else {
                let failure = Errno(rawValue: errno)
                try? descriptor.close()
                throw FileError(failure, "locking", path)
            }
        }
        self.descriptor = descriptor
    }

    /// Takes the lock where nobody's stands against it; `nil` where one does.
    package init?(trying path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(FileError) {
        let descriptor = try fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite)
        guard flock(descriptor.rawValue, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
            let failure = Errno(rawValue: errno)
            try? descriptor.close()
            guard failure != .wouldBlock else { return nil }
            throw FileError(failure, "locking", path)
        }
        self.descriptor = descriptor
    }

    /// Takes the lock on a folder where nobody holds it; `nil` where somebody does.
    package init?(folder path: FilePath, _ fileSystem: any FileSystem) throws(FileError) {
        let descriptor = try fileSystem.open(path, .readOnly, .directory)
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? descriptor.close()
            return nil
        }
        self.descriptor = descriptor
    }

    fileprivate init(held descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }
}

/// An attempt at an exclusive lock that can be repeated, on one open file: a waiter that closed the file after each try would
/// wake every process that watches for that. For one thread.
package final class LockAttempt {
    private let path: FilePath
    private let descriptor: FileDescriptor
    private var isOpen = true

    package init(_ path: FilePath, _ fileSystem: any FileSystem) throws(FileError) {
        self.path = path
        descriptor = try fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite)
    }

    deinit { if isOpen { try? descriptor.close() } }

    /// Takes the lock if it is free; `nil` if it is not. Not to be called again after it was taken.
    package func take() throws(FileError) -> KernelLock? {
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let failure = Errno(rawValue: errno)
            guard failure != .wouldBlock else { return nil }
            throw FileError(failure, "locking", path)
        }
        isOpen = false
        return KernelLock(held: descriptor)
    }
}
