internal import SinkHost

extension ConformanceCheck {
    /// Checks of the lines that the sink wrote in the first sessions.
    static let answers = [
        ConformanceCheck(
            // A foundation, because the session cannot find the beginning of the next line.
            name: CheckFailure.Cause.lineLength.rawValue,
            rule: "a line has at most 1,048,576 bytes, its line feed included",
            remedy: "end each message with a line feed; put large values into a product file", isFoundation: true
        ) { context in
            if try await context.probeRun().records.contains(where: \.hasLongLine) {
                throw CheckFailure("it wrote a longer line")
            }
        },
        ConformanceCheck(
            name: CheckFailure.Cause.onlyMessages.rawValue,
            rule:
                "standard output belongs to the protocol: each line is one message",
            remedy: "print to standard error; keep libraries and child processes from standard output"
        ) { context in
            guard let stray = try await context.probeRun().records.lazy.flatMap(\.strays).first else { return }
            throw CheckFailure("it wrote \(stray)")
        },
        ConformanceCheck(
            name: CheckFailure.Cause.ownID.rawValue, rule: "an answer has the id of a delivery that is open",
            remedy: "answer with the id of the deliver message"
        ) { context in
            guard let id = try await context.probeRun().records.lazy.flatMap(\.strangers).first else { return }
            throw CheckFailure("it answered a delivery '\(id)', which it never received")
        },
        ConformanceCheck(
            name: CheckFailure.Cause.once.rawValue, rule: "each delivery is answered exactly once, by done or fail",
            remedy: "return from a delivery after its one answer"
        ) { context in
            guard let id = try await context.probeRun().records.lazy.flatMap(\.doubles).first else { return }
            throw CheckFailure("it answered the delivery '\(id)' more than once")
        },
        ConformanceCheck(
            name: "deliver/answer",
            rule: "a sink answers each delivery by done or fail, or reports progress, within stall_s",
            remedy: "answer also after an error: by fail, with the reason; flush each line",
            isFoundation: true
        ) { context in
            guard let unanswered = try await context.probeRun().unanswered else { return }
            throw CheckFailure("given \(unanswered.input.label): \(unanswered.why)")
        },
        ConformanceCheck(
            name: "deliver/alive",
            rule:
                "a sink runs after its answer until goodbye, or until it has answered max_deliveries",
            remedy: "keep reading after an answer; a sink for one delivery states \"max_deliveries\":1 in its hello",
            isFoundation: true
        ) { context in
            guard let ending = try await context.probeRun().earlyEnding else { return }
            throw CheckFailure("\(ending) after an answer, before goodbye")
        },
        ConformanceCheck(
            name: "deliver/unknown-keys", rule: "unknown keys inside a delivery and its parts are ignored",
            remedy: "read the keys that you know, and ignore all others"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                let delivery = try context.delivery(context.input, in: session)
                session.send(
                    try RawLine.with(unknownKeysIn: .deliver(delivery.message)), deliveries: [delivery.message.id])
                _ = try session.answer(to: delivery.message.id)
            }
        },
    ]
}
