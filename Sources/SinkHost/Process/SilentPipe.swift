internal import Glibc
package import SystemPackage

/// Writes to a pipe without SIGPIPE: if the pipe has no reader, only the write fails.
///
/// The calling thread blocks the signal during the write. The process's handler for SIGPIPE belongs to the program that
/// embeds this library.
package enum SilentPipe {
    /// Writes once.
    ///
    /// - Returns: the number of written bytes, or -1 with `errno` set.
    package static func write(_ bytes: UnsafeRawBufferPointer, to pipe: FileDescriptor) -> Int {
        var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        // A signal that was pending before the write has another cause, so it must stay pending.
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let count = systemWrite(pipe.rawValue, bytes.baseAddress, bytes.count)
        let failure = errno
        if count < 0, failure == EPIPE, !wasPending {
            // The write raised the signal for this thread. Unless it is consumed, it would arrive with the old mask.
            var now = timespec()
            while sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        // The calls since the write may have changed it.
        errno = failure
        return count
    }
}

/// The system call. Inside of a type with a method of this name, the bare name means the method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
