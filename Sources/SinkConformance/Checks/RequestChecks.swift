internal import SinkHost
internal import SinkKit

extension ConformanceCheck {
    /// `check`, `cancel`, and several deliveries at once.
    static let requests = [
        ConformanceCheck(
            name: "check/answer", rule: "a sink with the feature check answers check, and delivers nothing for it",
            remedy: "answer {\"checked\":{\"id\":…,\"answer\":\"present\"|\"absent\"|\"unknown\"}}"
        ) { context in
            try await context.withSession { session in
                let hello = try context.open(session)
                guard hello.features?.contains(.check) == true else { throw CheckSkipped("it has no feature check") }
                try session.send(.check(.init(id: "c1", key: "\(context.sink.id):never-was")))
                let message = try session.hear(by: .now + context.clocks.stall, "answered the check")
                guard case .checked(let answer) = message, answer.id == "c1" else {
                    throw CheckFailure("it answers check with something else than checked for its id")
                }
                if answer.answer == .present { throw CheckFailure("it says that a key that it never saw is present") }
            }
        },
        ConformanceCheck(
            name: "cancel/unknown", rule: "a cancel of a delivery that is not open is ignored",
            remedy: "ignore cancel where you do not know the id"
        ) { context in
            try await context.withSession { session in
                try context.open(session)
                try session.send(.cancel(.init(id: "never-was")))
                _ = try context.deliver(context.input, in: session)
            }
        },
        ConformanceCheck(
            name: "cancel/open", rule: "a delivery that is taken back is answered once all the same",
            remedy: "after cancel answer fail with class transient, or what was done already; then nothing more"
        ) { context in
            try await context.withSession { session in
                guard try context.open(session).features?.contains(.cancel) == true else {
                    throw CheckSkipped("it has no feature cancel")
                }
                let delivery = try context.delivery(context.input, in: session).message
                let cancellation = HostMessage.cancel(.init(id: delivery.id))
                // In one write, so that it is open still.
                session.send(
                    try SinkProtocol.line(HostMessage.deliver(delivery)) + SinkProtocol.line(cancellation),
                    deliveries: [delivery.id])
                _ = try session.answer(to: delivery.id)
                try leave(session, context)
            }
        },
        ConformanceCheck(
            name: "flight/several", rule: "a sink takes as many deliveries at once as its max_in_flight says",
            remedy: "read on while deliveries are open, or say \"max_in_flight\":1"
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
            rule: "a sink with max_deliveries ends with status 0 after as many answers",
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

    /// More deliveries than this are not tried at once.
    private static let flightLimit = 64

    private static func leave(_ session: ProbeSession, _ context: ConformanceContext) throws {
        try session.send(.goodbye)
        session.closeInput()
        guard session.hearTheEnd(by: .now + context.clocks.grace) else {
            throw CheckFailure("it has not ended within the grace after goodbye")
        }
    }
}
