internal import Glibc
internal import SinkHost

extension ConformanceCheck {
    /// Checks of a repeated key: after an answer, in a new process, and after a crash.
    static let repeats = [
        ConformanceCheck(
            name: "again/same-process", rule: "the same key again gives the same answer, or duplicate",
            remedy: "let the answer depend on the content alone, not on the time, on chance or on earlier deliveries"
        ) { context in
            try await context.withSession { session in
                let hello = try context.open(session)
                if hello.maxDeliveries == 1 { throw CheckSkipped("it takes one delivery for each process") }
                let key = "\(context.sink.id):again"
                let first = try settled(context.deliver(context.input, key: key, in: session))
                let second = try context.deliver(context.input, key: key, attempt: 2, in: session)
                if let difference = second.difference(from: first) { throw CheckFailure(difference) }
            }
        },
        ConformanceCheck(
            name: "again/new-process", rule: "the same key in a new process gives the same answer, or duplicate",
            remedy: "let the answer depend on the content alone; write no time and no random number into products"
        ) { context in
            for (input, key, first) in try await context.probeRun().findings {
                let second = try await context.withSession { session in
                    try context.open(session)
                    return try context.deliver(input, key: key, attempt: 2, in: session)
                }
                if let difference = second.difference(from: first) {
                    throw CheckFailure("given \(input.label): \(difference)")
                }
            }
        },
        ConformanceCheck(
            name: "again/after-a-kill",
            rule: "after the sink was killed in a delivery, a new process answers it well with the same key",
            remedy: "leave no unfinished file that confuses a later process: write to a temporary name, then rename"
        ) { context in
            let input = context.input
            let key = "\(context.sink.id):killed"
            for attempt in 1...killDelays.count {
                try await context.withSession { session in
                    try context.open(session)
                    try session.send(.deliver(context.delivery(input, key: key, attempt: attempt, in: session).message))
                    session.yield(killDelays[attempt - 1])
                    session.kill()
                }
            }
            let last = try await context.withSession { session in
                try context.open(session)
                return try context.deliver(input, key: key, attempt: killDelays.count + 1, in: session)
            }
            // The first sessions begin with the same content, `context.input`.
            guard let first = try await context.probeRun().findings.first?.finding else { return }
            if let difference = last.difference(from: first) { throw CheckFailure(difference) }
        },
    ]

    /// The times from the delivery to the kill. If the sink writes a line earlier, the kill comes then.
    private static let killDelays: [Duration] = [.zero, .milliseconds(5), .milliseconds(100)]

    private static func settled(_ finding: DeliveryFinding) throws -> DeliveryFinding {
        if let failure = finding.failure { throw CheckSkipped("it answered fail: \(failure.why)") }
        return finding
    }
}
