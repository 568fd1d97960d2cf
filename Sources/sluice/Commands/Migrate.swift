import Agent
import ArgumentParser
import Files
import GroupContainer
import Ingestion
import ShareModel
import Synchronization
import SystemPackage

/// `sluice migrate`: brings a container of an older format up to date.
struct Migrate: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring a container of an older format up to date.",
        discussion: """
            An agent is stopped first, and none starts meanwhile. No other process may use the container. What is shared \
            meanwhile waits in the container's inbox, and is taken in at the end. Older programs refuse the container \
            afterwards. Migrate on the machine that the packages came from, so that it recognizes their files.
            """)

    @OptionGroup var container: ContainerOption

    @OptionGroup var reserve: ReserveOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    private struct Answer: Encodable {
        var from: Int
        var to: Int
        /// The shares that were taken in from the inbox.
        var shares: Int
        /// The shares that stay there.
        var waiting: [Waiting]
    }

    private struct Waiting: Encodable {
        var path: String
        var why: String
    }

    func run() async throws {
        let console = Console()
        let root = try container.location()
        let version = try await migrate(root, console)
        var options = try container.options()
        reserve.set(&options)
        let inbox = try await Pipeline.takeInbox(options)
        let (old, new) = (version ?? FormatMigration.version, FormatMigration.version)
        if json {
            let waiting = inbox.left.map { Waiting(path: $0.share.string, why: $0.why) }
            try console.print(json: ["migrated": Answer(from: old, to: new, shares: inbox.taken, waiting: waiting)])
        } else {
            console.print(
                version == nil ? "the container has format \(new) already" : "migrated from format \(old) to \(new)")
            if inbox.taken > 0 {
                let delivering = AgentStart.isAllowed ? "; an agent makes their deliveries" : ""
                console.print("took in \(Units.count(inbox.taken, "share")) of the inbox\(delivering)")
            }
            for left in inbox.left { console.say("\(left.share.string) stays in the inbox: \(left.why)") }
        }
        if inbox.taken > 0 { AgentStart.begin(for: root) }
        try console.finish()
        if !inbox.left.isEmpty { try ExitStatus.incomplete.leave() }
    }

    /// - Returns: the version that the container had; `nil` if it needed no migration.
    private func migrate(_ root: FilePath, _ console: Console) async throws -> Int? {
        guard try FormatMigration.isNeeded(root) else {
            // It may have leftovers of one that was interrupted at its end.
            return try FormatMigration.run(root, machine: ContainerLocation.machine())?.version
        }
        let absence = try await AgentAbsence(of: root) { process in
            console.say("the agent, process \(process), ends first; a delivery under way may take a while")
        }
        defer { absence.end() }
        let view = MigrationView(console: console)
        defer { view.clear() }
        return try await BlockingCall.run {
            try FormatMigration.run(root, machine: ContainerLocation.machine()) { view.show($0) }
        }?.version
    }
}

/// The progress of a migration, on a terminal.
private final class MigrationView: Sendable {
    private let line: Mutex<PercentLine>

    init(console: Console) { line = Mutex(PercentLine("migrating", console: console)) }

    func show(_ progress: FormatMigration.Progress) {
        line.withLock { line in
            switch progress {
            case .copying(let part): line.show(Int64(part * 1_000), of: 5_000)
            case .converting(let step, let count): line.show(Int64(count + 4 * (step - 1)), of: Int64(5 * count))
            }
        }
    }

    func clear() { line.withLock { $0.clear() } }
}
