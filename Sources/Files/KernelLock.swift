internal import Dispatch
internal import Glibc
internal import Synchronization
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

    package let descriptor: FileDescriptor

    /// Waits for the lock; blocks its thread. If the thread's task is canceled, the wait ends after
    /// ``LockWait/canceledLimit``.
    ///
    /// - Throws: `FileError`; `CancellationError` if a canceled task did not get the lock.
    package convenience init(
        _ path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem = SystemFileSystem.system
    ) throws {
        try self.init(fileSystem.open(path, .readWrite, .create, mode: .ownerReadWrite), mode, path)
    }

    /// The shared lock for a process that only reads. The lock's file need not be writable.
    ///
    /// - Returns: `nil` if the file does not exist on a read-only file system, which has no writers.
    /// - Throws: see ``init(_:_:_:)``.
    package static func forReading(_ path: FilePath, _ fileSystem: any FileSystem) throws -> KernelLock? {
        do {
            try fileSystem.ensureFolder(path.removingLastComponent())
            return try KernelLock(path, .shared, fileSystem)
        } catch let error as FileError {
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
    private init(_ descriptor: FileDescriptor, _ mode: Mode, _ path: FilePath) throws {
        let operation = mode == .shared ? LOCK_SH : LOCK_EX
        // Usually the lock is free, and no wait needs to be announced.
        if flock(descriptor.rawValue, operation | LOCK_NB) != 0 {
            let wait = LockWait(path, descriptor)
            defer { wait.end() }
            if let failure = try LockRequest(descriptor, operation).wait() {
                try? descriptor.close()
                throw FileError(failure, "locking", path)
            }
        }
        self.descriptor = descriptor
    }

    /// Takes the lock without waiting; `nil` if another holder excludes it.
    package init?(
        trying path: FilePath, _ mode: Mode, _ fileSystem: any FileSystem = SystemFileSystem.system
    ) throws(FileError) {
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

    /// A lock that is held already, on a descriptor that the value owns from now on.
    package init(held descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit {
        // A process that another thread forks has a copy of the descriptor until it starts its program, and with it the lock.
        flock(descriptor.rawValue, LOCK_UN)
        try? descriptor.close()
    }
}

/// A wait for a lock that a cancellation can end.
///
/// The kernel's own wait cannot be canceled, so another thread waits there. Repeated attempts would need no thread, but
/// the kernel would not queue them, and the table of locks would not show for whom this process waits.
private final class LockRequest: Sendable {
    private enum State {
        case waiting, granted, abandoned
        case failed(Errno)
    }

    /// The time between two looks for a cancellation.
    private static let lookInterval = DispatchTimeInterval.milliseconds(50)

    private let state = Mutex(State.waiting)
    private let answer = DispatchSemaphore(value: 0)

    /// Begins to wait. The request owns the descriptor if it is abandoned.
    init(_ descriptor: FileDescriptor, _ operation: Int32) {
        DispatchQueue(label: "sluice.lock").async { [self] in
            var failure: Errno?
            while flock(descriptor.rawValue, operation) != 0 {
                failure = Errno(rawValue: errno)
                guard failure == .interrupted else { break }
                failure = nil
            }
            let isAbandoned = state.withLock { state in
                if case .abandoned = state { return true }
                state = failure.map(State.failed) ?? .granted
                return false
            }
            // The end of the descriptor releases the lock.
            if isAbandoned { try? descriptor.close() }
            answer.signal()
        }
    }

    /// Blocks its thread until the lock is granted.
    ///
    /// - Returns: the error of the system; `nil` with the lock.
    /// - Throws: `CancellationError` if the task is canceled. The request is then abandoned.
    func wait() throws -> Errno? {
        var end: ContinuousClock.Instant?
        while answer.wait(timeout: .now() + Self.lookInterval) == .timedOut {
            guard Task.isCancelled else { continue }
            end = end ?? .now + LockWait.canceledLimit
            if let end, end <= .now, abandon() { throw CancellationError() }
        }
        return state.withLock { state in
            if case .failed(let failure) = state { failure } else { nil }
        }
    }

    /// - Returns: `false` if the answer has come.
    private func abandon() -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .abandoned
            return true
        }
    }
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
