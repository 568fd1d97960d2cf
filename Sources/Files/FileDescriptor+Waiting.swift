internal import Glibc
package import SystemPackage

extension FileDescriptor {
    /// The time after which a reading that waits looks for a cancellation, in milliseconds.
    private static let patience: Int32 = 100

    /// Whether a reading would not wait: there are bytes, or the end.
    package var isReadable: Bool {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// Reads as `read(into:)` does. While nothing comes through a pipe, it notices within a tenth of a second that the task
    /// was cancelled.
    ///
    /// - Throws: `CancellationError`; `Errno`.
    package func readUntilCancelled(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var request = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        // A file is always readable. An error, such as an interrupting signal, is left to the reading.
        repeat { try Task.checkCancellation() } while poll(&request, 1, Self.patience) == 0
        return try read(into: buffer)
    }
}
