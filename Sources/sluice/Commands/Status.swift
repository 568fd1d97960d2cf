import Agent
import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel

/// `sluice status`: what the agent does, and what is open.
struct Status: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether an agent runs, and which deliveries are open.",
        discussion:
            "Exit status: 0 nothing is open; 1 a delivery is open, a share waits in the inbox, or the agent needs you; 2 the container cannot be used."
    )

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    @Flag(help: "List where a share can go ('sluice share --to NAME') instead. Nothing is started or asked.")
    var destinations = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    /// A sink that a person can name.
    private struct Destination: Encodable {
        var name: String
        /// The types that it takes.
        var accepts: [String]
        /// Why it cannot be started now.
        var why: String?
    }

    private struct Answer: Encodable {
        var container: String
        /// Without an agent it is absent.
        var agent: AgentStatus?
        var open: [OpenDeliveries]
        /// The number of shares in the inbox.
        var inbox: Int
    }

    func run() async throws {
        let console = Console()
        guard !destinations else { return try list(console) }
        let root = try container.location()
        let reader = try CatalogReader(reading: root)
        let waiting = try reader.waitingShares()
        let agent = try await AgentClient(of: root).status()
        // Those of the agent have its reasons.
        var open = agent?.open ?? []
        if agent == nil, !reader.isOlder {
            open = try await Pipeline(options: container.options(isPlan: true)).openDeliveries()
        }
        if json {
            let answer = Answer(container: root.absolute.string, agent: agent, open: open, inbox: waiting)
            try console.print(json: ["status": answer])
        } else {
            console.print(lines(agent, open, isOlder: reader.isOlder, waiting: waiting))
            if let agent {
                let own = AgentStatus.Options(try container.options(isPlan: true))
                console.print(AgentText(status: agent, now: 0, containerOption: container.again).differences(from: own))
            }
        }
        try console.finish()
        if !open.isEmpty || waiting > 0 || !(agent?.attention ?? []).isEmpty { try ExitStatus.incomplete.leave() }
    }

    private func lines(
        _ agent: AgentStatus?, _ open: [OpenDeliveries], isOlder: Bool, waiting: Int
    ) -> [StyledLine] {
        let now = Clock.systemNanoseconds() / 1_000_000
        var lines: [StyledLine] = []
        if let agent {
            lines = AgentText(status: agent, now: now, containerOption: container.again).lines
        } else if isOlder {
            lines = ["the container has an older format; \(command: "sluice migrate\(container.again)") updates it"]
        } else {
            lines = ["no agent runs; \(command: "sluice agent\(container.again)") starts one"]
            lines +=
                open.isEmpty
                ? ["no delivery is open"]
                : open.map {
                    OpenDeliveriesText(open: $0, now: now, containerOption: container.again).line
                }
        }
        if waiting > 0 {
            let order: StyledLine = "sluice \(isOlder ? "migrate" : "deliver")\(container.again)"
            let taking: StyledLine =
                waiting == 1 ? " waits in the inbox; it is taken in by " : " wait in the inbox; they are taken in by "
            lines.append("\(Units.count(waiting, "share"))" + taking + "\(command: order)")
        }
        return lines
    }

    private func list(_ console: Console) throws {
        let found = SinkSurvey(options: SinkPlaces().options).entries.filter { $0.standing == .used }
            .compactMap { entry in
                entry.id.map { Destination(name: $0, accepts: entry.accepts ?? [], why: entry.obstacle) }
            }
        for destination in found {
            if json {
                try console.print(json: ["destination": destination], flushing: false)
            } else {
                let name: StyledLine = "\(name: destination.name)"
                var line: StyledLine = "\(name.padded(to: 13))  \(destination.accepts.joined(separator: " "), .dim)"
                if let why = destination.why { line += "  \("!", .warning) \(WhyText.line(why, container.again))" }
                console.print([line])
            }
        }
        if found.isEmpty, !json { console.say("no sink was found; 'sluice sinks list' says more") }
        try console.finish()
    }
}
