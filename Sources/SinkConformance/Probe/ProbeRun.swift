internal import SinkHost
internal import SinkKit

/// The first sessions with the sink, which send each content of the suite once, one at a time, and then goodbye.
///
/// It records everything that the sink did. Most checks only look at this record, which saves a session for each check.
struct ProbeRun {
    /// The sink's greeting.
    private(set) var hello: SinkMessage.SinkHello?
    /// The sink's answer to each content, in order, up to the first one without an answer.
    private(set) var findings: [(input: ConformanceInput, key: String, finding: DeliveryFinding)] = []
    /// The first content without an answer, and the reason.
    private(set) var unanswered: (input: ConformanceInput, why: String)?
    /// The record of each session.
    private(set) var records: [ProbeRecord] = []
    /// For each session that came to its goodbye: whether the sink then ended in time, and how.
    private(set) var goodbyes: [(isInTime: Bool, ending: ProcessEnding)] = []
    /// How the process ended, if it ended before goodbye.
    private(set) var earlyEnding: ProcessEnding?
    /// The number of processes that the sink left running.
    private(set) var left = 0
    /// Files that the sink made in places where it must not write.
    private(set) var strayFiles: [String] = []

    /// - Throws: a ``CheckFailure`` if the sink's hello ends the session.
    init(_ context: ConformanceContext) async throws {
        // A single content is sent twice, because a sink that wrongly ends after its answer is noticed at the next
        // delivery.
        var rest = (context.inputs.count == 1 ? context.inputs + context.inputs : context.inputs)[...]
        repeat { try await serve(&rest, context) } while !rest.isEmpty && unanswered == nil && earlyEnding == nil
        strayFiles += context.strayFiles()
    }

    /// The result of one process.
    private struct Session {
        var findings: [(input: ConformanceInput, key: String, finding: DeliveryFinding)] = []
        var hello: SinkMessage.SinkHello?
        var unanswered: (input: ConformanceInput, why: String)?
        /// Whether its `max_deliveries` makes the sink end after its last answer, without goodbye.
        var endsItself = false
        /// Whether it ended after its last answer and before goodbye.
        var endsEarly = false
        /// Whether it ended in time after goodbye; `nil` if the session failed before.
        var isInTime: Bool?
        var record = ProbeRecord()
        var strangers: [String] = []
    }

    private mutating func serve(_ rest: inout ArraySlice<ConformanceInput>, _ context: ConformanceContext) async throws
    {
        let (inputs, first) = (rest, findings.count)
        let (session, end) = try await context.withRawSession { try Self.serve(inputs, first, context, $0) }
        hello = session.hello ?? hello
        findings += session.findings
        if session.isInTime != nil, let hello { rest = rest.dropFirst(Self.count(of: inputs, hello)) }
        unanswered = session.unanswered
        records.append(session.record)
        left += end.left
        strayFiles += session.strangers.map { "\($0) beside out" }
        let isSignal = if case .signal = end.ending { true } else { false }
        let diedInTime = isSignal && session.isInTime == true && !session.endsItself
        if session.endsEarly || diedInTime || session.record.earlyEnd { earlyEnding = end.ending }
        if let isInTime = session.isInTime, earlyEnding == nil { goodbyes.append((isInTime, end.ending)) }
        guard let (input, why) = unanswered, session.record.earlyEnd else { return }
        // The sink may have died of the previous content. Another process, with only this one, shows which content is
        // the cause.
        var isAnsweredAlone = false
        if !session.findings.isEmpty { isAnsweredAlone = (try? await answersAlone(input, context)) == true }
        unanswered = isAnsweredAlone ? nil : (input, "\(why); \(end.ending)")
    }

    /// The number of inputs for one process.
    private static func count(of inputs: ArraySlice<ConformanceInput>, _ hello: SinkMessage.SinkHello) -> Int {
        // The check `hello/answer` reports a number below 1.
        min(inputs.count, max(1, hello.maxDeliveries ?? inputs.count))
    }

    private static func serve(
        _ inputs: ArraySlice<ConformanceInput>, _ first: Int, _ context: ConformanceContext, _ probe: ProbeSession
    ) throws -> Session {
        var session = Session()
        var current = inputs.first
        do {
            let hello = try context.open(probe)
            session.hello = hello
            let count = count(of: inputs, hello)
            session.endsItself = hello.maxDeliveries == count
            for input in inputs.prefix(count) {
                current = input
                let key = "\(context.sink.id):first-\(first + session.findings.count)"
                session.findings.append((input, key, try context.deliver(input, key: key, in: probe)))
            }
            if !session.endsItself {
                // A sink that crashes after its answer needs a moment for that.
                session.endsEarly = probe.hearTheEnd(by: .now + .milliseconds(100))
                try probe.send(.goodbye)
                probe.closeInput()
            }
            session.isInTime = probe.hearTheEnd(by: .now + context.clocks.grace)
        } catch let failure as CheckFailure where failure.cause != .hello {
            session.unanswered = current.map { ($0, failure.why) }
        }
        session.record = probe.record
        session.strangers = probe.folder.strangers()
        return session
    }

    private func answersAlone(_ input: ConformanceInput, _ context: ConformanceContext) async throws -> Bool {
        _ = try await context.withRawSession { session in
            try context.open(session)
            return try context.deliver(input, in: session)
        }
        return true
    }
}
