internal import SinkHost
internal import SinkKit

extension ConformanceCheck {
    /// However the host's bytes fall, they are the same lines.
    static let lines = [
        ConformanceCheck(
            name: "lines/together", rule: "one read may bring two lines; the stream is cut at the line feeds",
            remedy: "read by lines through one buffer that keeps what it read too much"
        ) { context in
            try await context.withSession { session in
                let delivery = try context.delivery(context.input, in: session).message
                let greeting = try SinkProtocol.line(HostMessage.hello(context.hello))
                let configuration = try SinkProtocol.line(HostMessage.configure(context.configuration))
                session.send(greeting + configuration)
                let deadline = ContinuousClock.now + context.clocks.startup
                _ = try context.greeting(session, by: deadline)
                guard case .ready = try session.hear(by: deadline, "said that it is ready") else {
                    throw CheckFailure("it answers configure with something else than ready")
                }
                let stray = HostMessage.cancel(.init(id: "never-was"))
                session.send(
                    try SinkProtocol.line(stray) + SinkProtocol.line(HostMessage.deliver(delivery)),
                    deliveries: [delivery.id])
                _ = try session.answer(to: delivery.id)
            }
        },
        ConformanceCheck(
            name: "lines/in-pieces", rule: "a read may bring half of a line; the stream is cut at the line feeds",
            remedy: "keep what was read until its line feed comes"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                let delivery = try context.delivery(context.input, in: session).message
                let line = try SinkProtocol.line(HostMessage.deliver(delivery))
                for place in stride(from: 0, to: line.count, by: 7) {
                    session.send(Array(line[place...].prefix(7)), deliveries: [delivery.id])
                    // Lets the sink read each piece by itself, where it can keep up.
                    session.yield()
                }
                _ = try session.answer(to: delivery.id)
            }
        },
        ConformanceCheck(
            name: "lines/long", rule: "a sink takes lines of up to 1,048,576 bytes",
            remedy: "let the buffer for a line grow to a MiB"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                var input = context.input
                input.title = String(repeating: "a long title ", count: longTitle / 13)
                _ = try context.deliver(input, in: session)
            }
        },
    ]

    /// In bytes.
    private static let longTitle = 900 << 10
}
