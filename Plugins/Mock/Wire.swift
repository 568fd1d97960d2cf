import Glibc
import SinkKit

/// Reads and writes the standard descriptors without a buffer.
enum Wire {
    static func send(_ message: SinkMessage) throws { write(try SinkProtocol.line(message)) }

    static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32 = STDOUT_FILENO) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    static func log(_ text: String) { write((text + "\n").utf8, to: STDERR_FILENO) }

    /// The bytes of one read; `nil` at the end of the input.
    static func read() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = chunk.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0) }
        return count > 0 ? Array(chunk.prefix(count)) : nil
    }

    /// Whether a read would return at once.
    static var hasMore: Bool {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) > 0
    }
}

// Inside a type with its own `write` and `read`, the system's functions are not visible.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 || errno != EINTR { return count }
    }
}
