import Agent
import Files
import Ingestion
import ShareModel
import SystemPackage

/// The status of an agent in a few lines:
///
///     agent 4711 rests, since 2026-05-05 00:11:12 CEST; 12 deliveries made, 1 failed
///     3 deliveries wait for upload, next try in 12 s: the service does not answer
struct AgentText {
    let status: AgentStatus
    /// In milliseconds since 1970.
    let now: Int64
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    var lines: [StyledLine] {
        let began = LocalTime.second(Timestamp(nanoseconds: status.began * 1_000_000))
        var first: StyledLine = "agent \(String(status.process)) \(word), running since \(began)"
        if let sum = SummaryText.deliveries(status.deliveries) { first += "; \(sum)" }
        let open = status.open.map {
            OpenDeliveriesText(open: $0, now: now, containerOption: containerOption).line
        }
        return [first] + (open.isEmpty ? ["no delivery is open"] : open)
            + status.attention.map { "\("!", .warning) \(WhyText.line($0, containerOption))" }
    }

    /// Where the options of the agent differ from those of this command: its deliveries are made by its own.
    func differences(from own: AgentStatus.Options) -> [StyledLine] {
        guard let uses = status.uses else { return [] }
        var lines: [StyledLine] = []
        func compare(_ what: String, _ theirs: String?, _ ours: String?) {
            guard theirs != ours else { return }
            lines.append(
                "the agent uses \(theirs ?? "none") for \(what), and this command \(ours ?? "none"); for its deliveries, that of the agent counts"
            )
        }
        compare(
            "its sinks", uses.sinks.isEmpty ? nil : uses.sinks.joined(separator: ":"),
            own.sinks.isEmpty ? nil : own.sinks.joined(separator: ":"))
        compare("their settings", uses.settings, own.settings)
        return lines
    }

    /// What an order brings about. The status is from the moment of the answer, when the agent has not done it yet.
    func answer(to order: AgentOrder.Order) -> [StyledLine] {
        let agent = "agent \(status.process)"
        return switch order {
        case .stop: ["\(agent) ends; what is open stays open"]
        case .pause: ["\(agent) makes no further delivery until \(command: "sluice agent resume\(containerOption)")"]
        case .resume, .deliver: ["\(agent) goes on"] + lines.dropFirst()
        }
    }

    private var word: String {
        switch status.activity {
        case .delivering: "delivers"
        case .resting: "rests"
        case .paused: "is paused"
        }
    }
}

/// What an agent does, line by line.
struct AgentLog {
    let console: Console
    let json: Bool
    let root: FilePath
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    /// The most events that wait for a reader of the log. After that, the oldest are left out.
    private static let limit = 10_000
    /// How long the end of the agent waits for the reader.
    private static let patience = Duration.seconds(2)

    /// Writes the log on a thread of its own while `body` runs, which gets a function for its events. A reader that does not
    /// read, or has gone, stops nothing.
    func during<Value>(
        _ body: (_ report: @escaping @Sendable (Agent.Event) -> Void) async throws -> Value
    ) async throws -> Value {
        let (events, continuation) = AsyncStream.makeStream(
            of: Agent.Event.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let writing = Task(executorPreference: QueueExecutor("sluice.log")) {
            for await event in events { take(event) }
        }
        defer { writing.cancel() }
        let result: Result<Value, any Error>
        do { result = .success(try await body { continuation.yield($0) }) } catch { result = .failure(error) }
        continuation.finish()
        // Not in a group, which would wait for both.
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        Task {
            await writing.value
            ended.finish()
        }
        Task {
            try await Task.sleep(for: Self.patience)
            ended.finish()
        }
        for await _ in ends {}
        return try result.get()
    }

    /// A line of the log in JSON.
    private struct Entry: Encodable {
        var time = Clock.systemNanoseconds() / 1_000_000
        var event: String
        var package: String?
        var delivery: DeliveryRecord?
        var name: String?
        var why: String?
        var next: Int64?

        enum CodingKeys: String, CodingKey {
            case time = "time_ms"
            case next = "next_ms"
            case event, package, delivery, name, why
        }
    }

    /// Says that the program goes on as the one that has replaced it, or why that is not possible.
    func replaced(by program: FilePath, failure: Errno? = nil) {
        var entry = Entry(event: failure == nil ? "replaced" : "replacement_failed")
        entry.why = failure.map { "\($0)" }
        let name = SafeText.escape(bytes: program.bytes)
        write(
            entry,
            failure.map { "\("!", .warning) \(name) cannot be started: \("\($0)")" } ?? "going on as the new \(name)")
    }

    private func take(_ event: Agent.Event) {
        var entry = Entry(event: "")
        var line: StyledLine?
        switch event {
        case .serves:
            entry.event = "serves"
            let stop: StyledLine = "\(command: "sluice agent stop\(containerOption)")"
            line = "the agent serves \(SafeText.escape(bytes: root.bytes)); \(stop) or Ctrl-C ends it"
        case .delivery(.began): entry.event = "began"
        case .delivery(.ended(let report)):
            (entry.event, entry.delivery, entry.name) = ("delivery", report.record, report.name)
            entry.package = report.package
            line = DeliveryText(record: report.record, containerOption: containerOption).line(name: report.name)
            if let package = report.package { line = line.map { $0 + "  \("of \(ShortID.of(package))", .dim)" } }
        case .delivery(.needsPerson(let open)):
            (entry.event, entry.why) = ("needs_person", open.why)
            line = NeedText(open: open, again: containerOption).line
        case .delivery(.obstructed(let why)):
            (entry.event, entry.why) = ("obstructed", why)
            line = "\("!", .warning) \(WhyText.line(why, containerOption))"
        case .delivery(.failed(let error)):
            (entry.event, entry.why) = ("failed", error.message)
            line = "\("✗", .bad) \(WhyText.line(error.message, containerOption))"
        case .delivery(.changedSettings(let warnings)):
            (entry.event, entry.why) = ("settings", warnings.isEmpty ? nil : warnings.joined(separator: "; "))
            line = "the sinks or their settings have changed"
            for warning in warnings where !json { console.say("\("warning:", .warning) \(warning)") }
        case .delivery(.rests(let next)): (entry.event, entry.next) = ("rests", next)
        case .order(let order, let process):
            entry.event = order.rawValue
            line = "process \(String(process)) orders: \(order.rawValue)"
        case .hintsEnded(let why):
            (entry.event, entry.why) = ("hints_ended", why)
            line = "\("!", .warning) clients get no hints any more: \(WhyText.line(why, containerOption))"
        }
        write(entry, line)
    }

    private func write(_ entry: Entry, _ line: StyledLine?) {
        if json { try? console.print(json: ["agent": entry]) } else if let line { console.print([line]) }
        console.output.flush()
    }
}
