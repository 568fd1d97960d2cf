#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension ConformanceCheck {
    /// How a sink ends, and what it leaves behind.
    static let endings = [
        ConformanceCheck(
            name: "end/goodbye", rule: "after goodbye a sink ends with status 0, within a grace of 3 s",
            remedy: "exit(0) after goodbye; wait for no child and no timer"
        ) { bench in
            for goodbye in try bench.firstSitting().goodbyes {
                guard goodbye.isInTime else { throw CheckFailure("it goes on after goodbye") }
                guard goodbye.ending == .status(0) else { throw CheckFailure("\(goodbye.ending)") }
            }
        },
        ConformanceCheck(
            name: "end/input", rule: "when its standard input ends, a sink ends with status 0",
            remedy: "leave the loop over the lines of standard input when there are no more"
        ) { bench in
            try ends(bench, status: 0) { $0.probe.closeInput() }
        },
        ConformanceCheck(
            name: "end/sigterm", rule: "SIGTERM ends a sink",
            remedy: "do not ignore SIGTERM; a handler cleans up and exits"
        ) { bench in
            try ends(bench, status: nil) { $0.probe.signal(SIGTERM) }
        },
        ConformanceCheck(
            name: "end/nothing-left", rule: "what a sink starts ends with it",
            remedy: "wait for your children before you answer; leave no process in a session of its own"
        ) { bench in
            let left = try bench.firstSitting().left
            if left > 0 { throw CheckFailure("\(left) of the processes that it started went on after its end") }
        },
    ]

    private static func ends(
        _ bench: ConformanceBench, status: Int32?, _ deed: (ProbeSession) -> Void
    ) throws {
        let session = try bench.makeSession()
        var hasEnded = false
        do {
            try bench.open(session)
            deed(session)
            hasEnded = session.hearTheEnd(by: .now + bench.clocks.grace)
        } catch {
            _ = session.probe.finish()
            throw error
        }
        let ending = session.probe.finish().ending
        guard hasEnded else { throw CheckFailure("it goes on") }
        if let status, ending != .status(status) { throw CheckFailure("\(ending)") }
    }
}
