internal import Glibc

/// The host's messages, in order. A sink that waits for the answer to a request gets the others later.
final class HostLines {
    private var lines = LineBuffer(limit: SinkProtocol.maximumLineBytes)
    private var waiting: [HostMessage] = []
    private let input: Int32

    init(_ input: Int32) { self.input = input }

    /// The next message; `nil` at the end of the input.
    func next() throws -> HostMessage? { waiting.isEmpty ? try read() : waiting.removeFirst() }

    /// Waits for the answer to a request.
    ///
    /// - Throws: ``SinkFailure`` if the host ends instead.
    func response(to request: SinkMessage.Request) throws -> HostMessage.Response {
        while let message = try read() {
            switch message {
            case .response(let response) where response.id == request.id && response.name == request.name:
                return response
            case .cancel(let cancel) where cancel.id == request.id:
                throw SinkFailure(.transient, "the host took the delivery back")
            default: waiting.append(message)
            }
        }
        throw SinkFailure(.transient, "the host ended before it answered a request")
    }

    private func read() throws -> HostMessage? {
        while true {
            if let line = try lines.next() { return try SinkProtocol.message(HostMessage.self, from: line) }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = chunk.withUnsafeMutableBytes { systemRead(input, $0.baseAddress, $0.count) }
            if count > 0 {
                lines.append(chunk.prefix(count))
            } else if count == 0 {
                return nil
            } else if errno != EINTR {
                throw SinkFailure(.permanent, "cannot read from the host: \(String(cString: strerror(errno)))")
            }
        }
    }
}

/// Calls the system's `read`. Inside a type with its own `read`, the plain name would be ambiguous.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
