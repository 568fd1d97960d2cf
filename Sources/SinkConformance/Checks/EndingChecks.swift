internal import Glibc
internal import SinkHost

extension ConformanceCheck {
    /// Checks of a sink's end, and of processes that it leaves.
    static let endings = [
        ConformanceCheck(
            name: "end/goodbye", rule: "after goodbye a sink ends with status 0, within a grace of 3 s",
            remedy: "exit(0) after goodbye; do not wait for children or timers"
        ) { context in
            for goodbye in try await context.probeRun().goodbyes {
                guard goodbye.isInTime else { throw CheckFailure("it goes on after goodbye") }
                guard goodbye.ending == .status(0) else { throw CheckFailure("\(goodbye.ending)") }
            }
        },
        ConformanceCheck(
            name: "end/input", rule: "when its standard input ends, a sink ends with status 0",
            remedy: "leave the loop over standard input at its end"
        ) { context in
            try await ends(context, status: 0) { $0.closeInput() }
        },
        ConformanceCheck(
            name: "end/sigterm", rule: "SIGTERM ends a sink",
            remedy: "do not ignore SIGTERM; a handler cleans up and exits"
        ) { context in
            // A sink without a handler dies of the signal, so it has no status.
            try await ends(context, status: nil) { $0.signal(SIGTERM) }
        },
        ConformanceCheck(
            name: "end/nothing-left", rule: "processes that a sink starts end with it",
            remedy: "wait for your children before you answer; leave no process in a session of its own"
        ) { context in
            let left = try await context.probeRun().left
            if left > 0 { throw CheckFailure("\(left) of the processes that it started still ran after its end") }
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
