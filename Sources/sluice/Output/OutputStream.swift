import Synchronization
import SystemPackage

/// Standard output or standard error: buffered and safe to use from any task. Lines are never mixed with one another.
///
/// After a failed write the stream writes nothing more, and ``failure`` keeps the error.
final class OutputStream: Sendable {
    static let standardOutput = OutputStream(.standardOutput)
    static let standardError = OutputStream(.standardError)

    private struct State {
        var buffer: [UInt8] = []
        var failure: Errno?
    }

    private static let capacity = 64 << 10
    private let descriptor: FileDescriptor
    private let state = Mutex(State())

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// The error of the first failed write; `nil` if none failed. ``Errno/brokenPipe`` means that the reader closed the
    /// pipe.
    var failure: Errno? { state.withLock(\.failure) }

    /// Adds a line and its line feed.
    func write(line: some Sequence<UInt8>, flushing: Bool = true) {
        state.withLock { state in
            state.buffer += line
            state.buffer.append(UInt8(ascii: "\n"))
            if flushing || state.buffer.count >= Self.capacity { Self.flush(&state, to: descriptor) }
        }
    }

    /// Adds text without a line feed, and flushes.
    func write(raw text: String) {
        state.withLock { state in
            state.buffer += text.utf8
            Self.flush(&state, to: descriptor)
        }
    }

    /// Writes bytes as they are.
    func write(bytes: ArraySlice<UInt8>) {
        state.withLock { state in
            state.buffer += bytes
            if state.buffer.count >= Self.capacity { Self.flush(&state, to: descriptor) }
        }
    }

    func flush() { state.withLock { Self.flush(&$0, to: descriptor) } }

    private static func flush(_ state: inout State, to descriptor: FileDescriptor) {
        defer { state.buffer.removeAll(keepingCapacity: true) }
        guard state.failure == nil, !state.buffer.isEmpty else { return }
        do {
            try descriptor.writeAll(state.buffer)
        } catch let error as Errno {
            state.failure = error
        } catch {
            state.failure = .ioError
        }
    }
}
