internal import Glibc
internal import SinkHost

extension ConformanceCheck {
    /// How a sink ends, and what it leaves behind.
    static let endings = [
        ConformanceCheck(
            name: "end/goodbye", rule: "after goodbye a sink ends with status 0, within a grace of 3 s",
            remedy: "exit(0) after goodbye; wait for no child and no timer"
        ) { context in
            for goodbye in try await context.probeRun().goodbyes {
                guard goodbye.isInTime else { throw CheckFailure("it goes on after goodbye") }
                guard goodbye.ending == .status(0) else { throw CheckFailure("\(goodbye.ending)") }
            }
        },
        ConformanceCheck(
            name: "end/input", rule: "when its standard input ends, a sink ends with status 0",
            remedy: "leave the loop over the lines of standard input when there are no more"
        ) { context in
            try await ends(context, status: 0) { $0.closeInput() }
        },
        ConformanceCheck(
            name: "end/sigterm", rule: "SIGTERM ends a sink",
            remedy: "do not ignore SIGTERM; a handler cleans up and exits"
        ) { context in
            try await ends(context, status: nil) { $0.signal(SIGTERM) }
        },
        ConformanceCheck(
            name: "end/nothing-left", rule: "what a sink starts ends with it",
            remedy: "wait for your children before you answer; leave no process in a session of its own"
        ) { context in
            let left = try await context.probeRun().left
            if left > 0 { throw CheckFailure("\(left) of the processes that it started went on after its end") }
        },
    ]

    private static func ends(
        _ context: ConformanceContext, status: Int32?, _ deed: (ProbeSession) -> Void
    ) async throws {
        let (hasEnded, end) = try await context.withRawSession { session in
            try context.open(session)
            deed(session)
            return session.hearTheEnd(by: .now + context.clocks.grace)
        }
        guard hasEnded else { throw CheckFailure("it goes on") }
        if let status, end.ending != .status(status) { throw CheckFailure("\(end.ending)") }
    }
}
