internal import SinkHost
internal import SinkKit

extension ConformanceCheck {
    /// Checks that a sink reads the same lines, no matter how the host's bytes arrive.
    static let lines = [
        ConformanceCheck(
            name: "lines/together", rule: "one read may return two lines; only a line feed ends a line",
            remedy: "read lines through one buffer, which keeps the bytes after a line feed for the next line"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                let delivery = try context.delivery(context.input, in: session).message
                // Nothing else may come together with a delivery: a host waits for the sink's hello, ready and answer.
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
                    // The sink gets time to read each piece by itself.
                    session.yield()
                }
                _ = try session.answer(to: delivery.id)
            }
        },
        ConformanceCheck(
            name: "lines/long", rule: "a sink takes lines of up to 1,048,576 bytes",
            remedy: "let the buffer for a line grow to 1 MiB"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                var input = context.input
                // Shorter than the limit, because the rest of the message has to fit into the same line.
                input.title = String(repeating: "a long title ", count: longTitle / 13)
                _ = try context.deliver(input, in: session)
            }
        },
    ]

    /// In bytes.
    private static let longTitle = 900 << 10
}
