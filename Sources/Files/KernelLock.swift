internal import Glibc
package import SystemPackage

/// A kernel lock on a file. The kernel releases it when its process ends, so it is never stale.
///
/// The lock lasts as long as the value. Code that needs a lock which its caller holds keeps the same value, so an inner use
/// cannot release an outer one. Two values are two locks, and one may wait for the other, even in one thread.
package final class KernelLock: Sendable {
    /// The lock has any number of `shared` holders at once, or a single `exclusive` holder.
    package enum Mode: Sendable {
        case shared, exclusive
    }

    private let descriptor: FileDescriptor

    /// Waits for the lock; blocks its thread.
    package convenience init(_ path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem) throws(FileError) {
        try self.init(fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite), mode, path)
    }

    /// The shared lock for a process that only reads. The lock's file need not be writable.
    ///
    /// - Returns: `nil` if the file does not exist on a read-only file system, which has no writers.
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

    /// Waits for the lock on an open file. The lock owns the descriptor.
    private init(_ descriptor: FileDescriptor, _ mode: Mode, _ path: FilePath) throws(FileError) {
        let operation = mode == .shared ? LOCK_SH : LOCK_EX
        // Usually the lock is free, and no wait needs to be announced.
        let isFree = flock(descriptor.rawValue, operation | LOCK_NB) == 0
        let wait = isFree ? nil : LockWait(path, descriptor)
        defer { wait?.end() }
        while !isFree, flock(descriptor.rawValue, operation) != 0 {
            guard errno == EINTR else {
                let failure = Errno(rawValue: errno)
                try? descriptor.close()
                throw FileError(failure, "locking", path)
            }
        }
        self.descriptor = descriptor
    }

    /// Takes the lock without waiting; `nil` if another holder excludes it.
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

    /// Takes the exclusive lock on a folder without waiting; `nil` if it is taken.
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

/// An attempt at an exclusive lock that can be repeated on one open file. For one thread.
///
/// Closing the file after each attempt would wake every process that watches for the end of the lock.
package final class LockAttempt {
    private let path: FilePath
    private let descriptor: FileDescriptor
    private var isOpen = true
    private var wait: LockWait?

    package init(_ path: FilePath, _ fileSystem: any FileSystem) throws(FileError) {
        self.path = path
        descriptor = try fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite)
    }

    deinit {
        wait?.end()
        if isOpen { try? descriptor.close() }
    }

    /// Takes the lock; `nil` if it is not free. After success, do not call it again. From the first failure to the
    /// success or the end of this value, the attempt is a ``LockWait``.
    package func take() throws(FileError) -> KernelLock? {
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            let failure = Errno(rawValue: errno)
            guard failure != .wouldBlock else {
                wait = wait ?? LockWait(path, descriptor)
                return nil
            }
            throw FileError(failure, "locking", path)
        }
        wait?.end()
        (isOpen, wait) = (false, nil)
        return KernelLock(held: descriptor)
    }
}
