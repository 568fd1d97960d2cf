internal import SinkKit

/// The sink's first sessions, in which it gets each content of the suite once, one at a time, and then goodbye.
///
/// It holds what the sink did, right or wrong; the checks look at it.
struct FirstSitting {
    /// What the sink says of itself.
    private(set) var hello: SinkMessage.SinkHello?
    /// What became of each content, in order, as far as the sink came.
    private(set) var findings: [(input: ConformanceInput, key: String, finding: DeliveryFinding)] = []
    /// The first content without an answer, and why there was none.
    private(set) var unanswered: (input: ConformanceInput, why: String)?
    /// Of each session, what it brought besides.
    private(set) var records: [ProbeRecord] = []
    /// Of each session that came to its goodbye, whether the sink then ended in time, and how.
    private(set) var goodbyes: [(isInTime: Bool, ending: ProbeEnding)] = []
    /// How the process ended before goodbye, where it did.
    private(set) var earlyEnding: ProbeEnding?
    /// How many processes were still running after the sink had ended.
    private(set) var left = 0
    /// Files made where the sink must not write.
    private(set) var strayFiles: [String] = []

    init(_ bench: ConformanceBench) throws {
        // Twice where it is one: a sink that ends after its answer shows it at the next delivery.
        var rest = (bench.inputs.count == 1 ? bench.inputs + bench.inputs : bench.inputs)[...]
        repeat { try serve(&rest, bench) } while !rest.isEmpty && unanswered == nil && earlyEnding == nil
        strayFiles += bench.strayFiles()
    }

    private mutating func serve(_ rest: inout ArraySlice<ConformanceInput>, _ bench: ConformanceBench) throws {
        let session = try bench.makeSession()
        var endsItself = false
        let answeredBefore = findings.count
        var isInTime: Bool?
        do {
            let hello = try bench.open(session)
            self.hello = hello
            let count = min(rest.count, max(1, hello.maxDeliveries ?? rest.count))
            endsItself = hello.maxDeliveries == count
            for input in rest.prefix(count) { try deliver(input, bench, session) }
            rest = rest.dropFirst(count)
            if !endsItself {
                // A sink that dies of its answer gets a moment for it.
                if session.hearTheEnd(by: .now + .milliseconds(100)) { earlyEnding = .status(0) }
                try session.send(.goodbye)
                session.probe.closeInput()
            }
            isInTime = session.hearTheEnd(by: .now + bench.clocks.grace)
        } catch let failure as CheckFailure {
            if unanswered == nil, let input = rest.first { unanswered = (input, failure.why) }
        }
        let end = session.probe.finish()
        records.append(session.record)
        left += end.left
        strayFiles += session.folder.strangers().map { "\($0) beside out" }
        if case .signal = end.ending, isInTime == true, !endsItself { earlyEnding = end.ending }
        if earlyEnding != nil || session.record.earlyEnd { earlyEnding = end.ending }
        if let isInTime, earlyEnding == nil { goodbyes.append((isInTime, end.ending)) }
        guard let (input, why) = unanswered, session.record.earlyEnd else { return }
        // Whether it died of this content or of the one before shows in a process of its own.
        let isAnsweredAlone = findings.count > answeredBefore && (try? answersAlone(input, bench)) == true
        unanswered = isAnsweredAlone ? nil : (input, "\(why); \(end.ending)")
    }

    private func answersAlone(_ input: ConformanceInput, _ bench: ConformanceBench) throws -> Bool {
        let session = try bench.makeSession()
        defer { _ = session.probe.finish() }
        try bench.open(session)
        _ = try bench.deliver(input, in: session)
        return true
    }

    private mutating func deliver(
        _ input: ConformanceInput, _ bench: ConformanceBench, _ session: ProbeSession
    ) throws {
        let key = "\(bench.sink.id):first-\(findings.count)"
        do {
            let finding = try bench.deliver(input, key: key, in: session)
            findings.append((input, key, finding))
        } catch let failure as CheckFailure {
            unanswered = (input, failure.why)
            throw failure
        }
    }
}
