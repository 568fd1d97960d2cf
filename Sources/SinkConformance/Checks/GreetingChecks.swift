internal import ShareModel
internal import SinkHost
internal import SinkKit

extension ConformanceCheck {
    /// Checks from the start to `ready`.
    static let greeting = [
        ConformanceCheck(
            name: "hello/answer",
            rule: "the first line that a sink writes is its hello, with protocol 1 and the id of its sink.json",
            remedy: "answer the host's hello first; print anything else to standard error", isFoundation: true
        ) { context in
            try await context.withSession { session in
                try session.send(.hello(context.hello))
                let greeting = try context.greeting(session, by: .now + context.clocks.startup)
                if let stray = session.record.fault { throw stray }
                if let count = greeting.maxInFlight, count < 1 { throw CheckFailure("its max_in_flight is \(count)") }
                if let count = greeting.maxDeliveries, count < 1 {
                    throw CheckFailure("its max_deliveries is \(count)")
                }
                if let feature = greeting.requires?.first(where: { !HostMessage.HostHello.ourFeatures.contains($0) }) {
                    throw CheckFailure("it requires '\(feature.rawValue)', which no host of this version has")
                }
            }
        },
        ConformanceCheck(
            name: "configure/ready", rule: "a sink answers configure with ready within its start-up clock (startup_s)",
            remedy: "write {\"ready\":{}} and flush; for a slow start set limits.startup_s in sink.json",
            isFoundation: true
        ) { context in
            try await context.withSession { session in _ = try context.open(session) }
        },
        ConformanceCheck(
            name: "hello/unknown-keys", rule: "unknown keys beside a message and inside it are ignored",
            remedy: "read the keys that you know, and ignore all others"
        ) { context in
            try await context.withSession { session in
                let deadline = ContinuousClock.now + context.clocks.startup
                session.send(try RawLine.with(unknownKeysIn: HostMessage.hello(context.hello)))
                _ = try context.greeting(session, by: deadline)
                session.send(try RawLine.with(unknownKeysIn: HostMessage.configure(context.configuration)))
                guard case .ready = try session.hear(by: deadline, "said that it is ready") else {
                    throw CheckFailure("its answer to configure is not ready")
                }
            }
        },
        ConformanceCheck(
            name: "hello/unknown-features", rule: "each side ignores features that it does not know",
            remedy: "ignore features that you do not know; only one in requires ends the session"
        ) { context in
            try await context.withSession { session in
                var hello = context.hello
                hello.features = [.init(rawValue: "x-conformance"), .check]
                hello.requires = []
                try session.send(.hello(hello))
                let deadline = ContinuousClock.now + context.clocks.startup
                _ = try context.greeting(session, by: deadline)
                try context.configure(session, by: deadline)
            }
        },
        ConformanceCheck(
            name: "hello/requires",
            rule:
                "a sink that lacks a feature of requires ends with a status other than 0 and logs the reason",
            remedy: "compare hello.requires with your features, and exit with status 1 if one is missing"
        ) { context in
            var hello = context.hello
            hello.requires = [.init(rawValue: "x-conformance")]
            try await refuses(hello, context)
        },
        ConformanceCheck(
            name: "hello/version",
            rule:
                "a sink that does not speak the host's version ends with a status other than 0 and logs the reason",
            remedy: "compare hello.protocol with 1, and exit with status 1 if it differs"
        ) { context in
            var hello = context.hello
            hello.protocol = 999
            try await refuses(hello, context)
        },
    ]

    private static func refuses(_ hello: HostMessage.HostHello, _ context: ConformanceContext) async throws {
        let (hasEnded, end) = try await context.withRawSession { session in
            try session.send(.hello(hello))
            // A sink may greet first and then end, so it has the grace for that.
            // Otherwise it has ended, or has used up its start-up clock.
            let hasGreeted = (try? session.hear(by: .now + context.clocks.startup, "")) != nil
            return session.hearTheEnd(by: .now + (hasGreeted ? context.clocks.grace : .zero))
        }
        guard hasEnded else { throw CheckFailure("it goes on as if nothing were wrong") }
        guard end.ending != .status(0) else { throw CheckFailure("it ended with status 0, which means success") }
        guard case .status = end.ending else { throw CheckFailure("\(end.ending)") }
    }
}

/// Lines that the types of the messages cannot express.
enum RawLine {
    /// The line of a message with unknown keys, beside the message and inside it.
    static func with(unknownKeysIn message: HostMessage) throws -> [UInt8] {
        let value = try JSONValue(json: SinkProtocol.line(message))
        // A message of this host has exactly one key, its name.
        guard case .object(var all) = value, let name = all.keys.first else { return [] }
        all[name] = all[name].map { deepened($0) }
        all["x_conformance"] = ["key": [1, true, .null]]
        return try JSONLines.encode(JSONValue.object(all)) + [UInt8(ascii: "\n")]
    }

    private static func deepened(_ body: JSONValue) -> JSONValue {
        guard case .object(var keys) = body else { return body }
        if case .array(let parts)? = keys["parts"] { keys["parts"] = .array(parts.map { deepened($0) }) }
        keys["x_conformance"] = ["a": "key of a later version", "b": [[], [:]]]
        return .object(keys)
    }
}
