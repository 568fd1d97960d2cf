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
            "Exit status: 0 nothing is open; 1 a delivery is open, or the agent needs you; 2 the container cannot be used."
    )

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Answer: Encodable {
        var container: String
        /// Without an agent it is absent.
        var agent: AgentStatus?
        var open: [OpenDeliveries]
    }

    func run() async throws {
        let console = Console()
        let root = try container.location()
        _ = try CatalogReader(reading: root)
        let agent = try await AgentClient(of: root).status()
        // Those of the agent have its reasons.
        var open = agent?.open ?? []
        if agent == nil { open = try await Pipeline(options: container.options(isPlan: true)).openDeliveries() }
        if json {
            try console.print(json: ["status": Answer(container: root.absolute.string, agent: agent, open: open)])
        } else {
            let now = Clock.systemNanoseconds() / 1_000_000
            if let agent {
                console.print(AgentText(status: agent, now: now).lines)
            } else {
                console.print(["no agent runs; \(command: "sluice agent\(container.again)") starts one"])
                console.print(
                    open.isEmpty ? ["no delivery is open"] : open.map { OpenDeliveriesText(open: $0, now: now).line })
            }
        }
        try console.finish()
        if !open.isEmpty || !(agent?.attention ?? []).isEmpty { try ExitStatus.incomplete.leave() }
    }
}
