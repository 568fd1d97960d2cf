internal import Glibc
package import SystemPackage

/// Writes to a pipe without SIGPIPE: a pipe without a reader is an error of the write alone.
///
/// The signal is blocked for the calling thread and for the one write. The process's disposition of SIGPIPE belongs to the
/// program that embeds this library.
package enum SilentPipe {
    /// Writes once.
    ///
    /// - Returns: how many bytes were written, or -1 with `errno` set.
    package static func write(_ bytes: UnsafeRawBufferPointer, to pipe: FileDescriptor) -> Int {
        var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        // A signal that was pending before the write is not this write's, and stays.
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let count = systemWrite(pipe.rawValue, bytes.baseAddress, bytes.count)
        let failure = errno
        if count < 0, failure == EPIPE, !wasPending {
            var now = timespec()
            while sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = failure
        return count
    }
}

/// The system call; inside a type with a method of its name it would be ambiguous.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
