internal import SinkHost
internal import SinkKit

extension ConformanceCheck {
    /// Checks of `check`, `cancel`, and several deliveries at once.
    static let requests = [
        ConformanceCheck(
            name: "check/answer", rule: "a sink with the feature check answers check, and does no work for it",
            remedy: "answer {\"checked\":{\"id\":…,\"answer\":\"present\"|\"absent\"|\"unknown\"}}"
        ) { context in
            try await context.withSession { session in
                let hello = try context.open(session)
                guard hello.features?.contains(.check) == true else { throw CheckSkipped("it lacks the feature check") }
                try session.send(.check(.init(id: "c1", key: "\(context.sink.id):never-was")))
                let message = try session.hear(by: .now + context.clocks.stall, "answered the check")
                guard case .checked(let answer) = message, answer.id == "c1" else {
                    throw CheckFailure("it answers check with something else than checked for its id")
                }
                if answer.answer == .present { throw CheckFailure("it answers present for an unknown key") }
            }
        },
        ConformanceCheck(
            name: "cancel/unknown", rule: "a cancel of a delivery that is not open is ignored",
            remedy: "ignore a cancel with an unknown id"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                try session.send(.cancel(.init(id: "never-was")))
                _ = try context.deliver(context.input, in: session)
            }
        },
        ConformanceCheck(
            name: "cancel/open", rule: "a canceled delivery also gets exactly one answer",
            remedy: "after cancel answer fail with class transient, or done if the work is finished; then nothing more"
        ) { context in
            try await context.withSession { session in
                guard try context.open(session).features?.contains(.cancel) == true else {
                    throw CheckSkipped("it lacks the feature cancel")
                }
                let delivery = try context.delivery(context.input, in: session).message
                let cancellation = HostMessage.cancel(.init(id: delivery.id))
                // Both lines in one write, so that the delivery is still open at the cancel.
                session.send(
                    try SinkProtocol.line(HostMessage.deliver(delivery)) + SinkProtocol.line(cancellation),
                    deliveries: [delivery.id])
                _ = try session.answer(to: delivery.id)
                // A second answer may come late, so the session goes on until the sink ends.
                try leave(session, context)
            }
        },
        ConformanceCheck(
            name: "request/form", rule: "a request is for an open delivery, and sets no header that the host sets",
            remedy: "ask for requests only with the feature transfer, and let the host add the credential"
        ) { context in
            try await context.withSession { session in
                guard try context.open(session).features?.contains(.transfer) == true else {
                    throw CheckSkipped("it lacks the feature transfer")
                }
                _ = try context.deliver(context.input, in: session)
            }
        },
        ConformanceCheck(
            name: "request/failure", rule: "a delivery whose request has no answer gets an answer itself",
            remedy: "answer fail with the class and the reason of the failure"
        ) { context in
            try await context.withSession { session in
                guard try context.open(session).features?.contains(.transfer) == true else {
                    throw CheckSkipped("it lacks the feature transfer")
                }
                session.respond = {
                    HostMessage.Response(
                        id: $0.id, name: $0.name, failure: .init(class: .transient, why: "the suite has no network"))
                }
                let delivery = try context.delivery(context.input, in: session).message
                try session.send(.deliver(delivery))
                _ = try session.answer(to: delivery.id)
            }
        },
        ConformanceCheck(
            name: "transfer/end", rule: "a delivery that was handed over to a transfer gets an answer in the end",
            remedy: "answer done or fail when the delivery comes again with the key transfer, whatever the service says"
        ) { context in
            try await context.withSession { session in
                guard try context.open(session).features?.contains(.transfer) == true else {
                    throw CheckSkipped("it lacks the feature transfer")
                }
                session.transferStatus = 507
                let delivery = try context.delivery(context.input, in: session).message
                try session.send(.deliver(delivery))
                let answer = try session.answer(to: delivery.id)
                if case .transfer = answer {
                    throw CheckFailure("it has handed the delivery over \(session.transfers) times")
                }
                guard session.transfers > 0 else { throw CheckSkipped("it hands this delivery over to no transfer") }
            }
        },
        ConformanceCheck(
            name: "flight/several", rule: "a sink takes up to max_in_flight deliveries at once",
            remedy: "keep reading while deliveries are open, or state \"max_in_flight\":1"
        ) { context in
            try await context.withSession { session in
                let hello = try context.open(session)
                let count = min(hello.maxInFlight ?? 1, hello.maxDeliveries ?? .max, flightLimit)
                guard count > 1 else { throw CheckSkipped("it takes one delivery at a time") }
                let deliveries = try (0..<count).map { _ in try context.delivery(context.input, in: session).message }
                var open = Set(deliveries.map(\.id))
                let lines = try deliveries.flatMap { try SinkProtocol.line(HostMessage.deliver($0)) }
                session.send(lines, deliveries: Array(open))
                while !open.isEmpty {
                    let message = try session.hear(
                        by: .now + context.clocks.stall, "answered \(open.count) of \(count)")
                    if let id = message.answeredDelivery { open.remove(id) }
                }
                try leave(session, context)
            }
        },
        ConformanceCheck(
            name: "flight/max-deliveries",
            rule: "a sink with max_deliveries ends with status 0 after that number of answers",
            remedy: "count your answers, and exit with status 0"
        ) { context in
            guard let count = try await context.probeRun().hello?.maxDeliveries else {
                throw CheckSkipped("it has no max_deliveries")
            }
            guard count <= flightLimit else { throw CheckSkipped("its max_deliveries is above \(flightLimit)") }
            let (hasEnded, end) = try await context.withRawSession { session in
                try context.open(session)
                for _ in 0..<count { _ = try context.deliver(context.input, in: session) }
                return session.hearTheEnd(by: .now + context.clocks.grace)
            }
            guard hasEnded else { throw CheckFailure("it goes on after \(count) deliveries") }
            guard end.ending == .status(0) else { throw CheckFailure("\(end.ending)") }
        },
    ]

    /// The checks send at most this many deliveries at once.
    private static let flightLimit = SinkSession.windowLimit

    private static func leave(_ session: ProbeSession, _ context: ConformanceContext) throws {
        try session.send(.goodbye)
        session.closeInput()
        guard session.hearTheEnd(by: .now + context.clocks.grace) else {
            throw CheckFailure("it has not ended within the grace after goodbye")
        }
    }
}
