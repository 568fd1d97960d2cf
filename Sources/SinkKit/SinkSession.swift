internal import Glibc

/// The sink's side of the protocol, from the host's `hello` to its `goodbye`.
struct SinkSession<Author: Sink> {
    private var sink = Author()
    private let input: HostLines
    private let output: Int32

    /// Moves standard input and output to private descriptors. A later `print` of the sink goes to standard error, and
    /// cannot break the protocol.
    init() throws {
        // Programs that the sink starts do not inherit these descriptors, so they cannot disturb the protocol.
        let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        // If descriptor 0 stayed closed, the next file that a library opens would get this number and act as standard
        // input.
        let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard
            input >= 0, output >= 0, empty >= 0, dup2(empty, STDIN_FILENO) >= 0,
            dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
        else {
            throw SinkFailure(
                .permanent, "standard input and output cannot be duplicated: \(String(cString: strerror(errno)))")
        }
        close(empty)
        self.input = HostLines(input)
        // A write to a host that has gone now fails with EPIPE. The signal would end the process without a message in
        // the log.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Answers messages until the host sends `goodbye` or closes the pipe.
    mutating func run() throws {
        while let message = try input.next() {
            switch message {
            case .hello(let hello): try greet(hello)
            case .configure(let message):
                try sink.configure(secrets: message.secrets ?? [:])
                try sink.configure(message.config)
                try send(.ready)
            case .deliver(let delivery): try answer(delivery)
            case .check(let check):
                try send(.checked(.init(id: check.id, answer: try sink.check(check.key))))
            case .cancel: break  // A session has one delivery at a time, so this one is finished already.
            case .response: break  // Its request is not open any more.
            case .goodbye: return
            }
        }
    }

    private func greet(_ hello: HostMessage.HostHello) throws {
        guard hello.protocol == SinkProtocol.version else {
            throw SinkFailure(
                .permanent,
                "\(Author.id) speaks version \(SinkProtocol.version) of the sink protocol, \(hello.host) speaks "
                    + "\(hello.protocol); build both from the same release")
        }
        if let missing = hello.requires?.first(where: { !Author.features.contains($0) }) {
            throw SinkFailure(
                .permanent,
                "\(hello.host) requires '\(missing.rawValue)', which \(Author.id) does not have; use a newer \(Author.id)"
            )
        }
        try send(
            .hello(
                .init(
                    protocol: SinkProtocol.version, id: Author.id, version: Author.version,
                    maxInFlight: Author.maxInFlight, features: Author.features.isEmpty ? nil : Author.features)))
    }

    /// Answers a delivery. If the answer cannot be encoded (too long, or a number that JSON lacks), the sink answers
    /// `fail`.
    private mutating func answer(_ delivery: Delivery) throws {
        let answer = settle(delivery)
        let line: [UInt8]
        do {
            line = try SinkProtocol.line(answer)
        } catch {
            let remedy = error is LineTooLong ? "; put large content into a product file instead" : ""
            let why = "the answer cannot be sent: \(error)\(remedy)"
            line = try SinkProtocol.line(SinkMessage.fail(.init(id: delivery.id, class: .permanent, why: why)))
        }
        try Self.write(line, to: output)
    }

    private mutating func settle(_ delivery: Delivery) -> SinkMessage {
        // The closure cannot capture `self` in a mutating method.
        let (input, output) = (input, output)
        let report = Report(
            send: { try Self.write(SinkProtocol.line($0), to: output) },
            response: { try input.response(to: $0) }, id: delivery.id)
        do {
            switch try sink.deliver(delivery, report: report) {
            case .delivered(let metadata, let products):
                return .done(.init(id: delivery.id, status: .delivered, metadata: metadata, products: products))
            case .duplicate:
                return .done(.init(id: delivery.id, status: .duplicate))
            case .declined(let why):
                return .done(.init(id: delivery.id, status: .declined, why: why))
            case .transferring(let transfer):
                return .transfer(
                    .init(
                        id: delivery.id, method: transfer.method, url: transfer.url,
                        account: transfer.account ? true : nil,
                        headers: transfer.headers.isEmpty ? nil : transfer.headers, body: transfer.body,
                        resumable: transfer.resumable == .none ? nil : transfer.resumable, state: transfer.state,
                        download: transfer.download ? true : nil))
            }
        } catch let failure as SinkFailure {
            return .fail(
                .init(
                    id: delivery.id, class: failure.kind, retryAfterMilliseconds: failure.retryAfterMilliseconds,
                    why: failure.why))
        } catch {
            return .fail(.init(id: delivery.id, class: .permanent, why: "\(error)"))
        }
    }

    private func send(_ message: SinkMessage) throws {
        try Self.write(SinkProtocol.line(message), to: output)
    }

    private static func write(_ line: [UInt8], to descriptor: Int32) throws {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SinkFailure(.permanent, "cannot write to the host: \(String(cString: strerror(errno)))")
            }
        }
    }
}

/// Calls the system's `write`. Inside a type with its own `write`, the plain name would be ambiguous.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
