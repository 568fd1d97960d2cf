import ArgumentParser
import ContainerTools
import ShareModel

/// `sluice gc`: removes unused objects.
struct GC: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove unused objects, after a grace period.",
        discussion: """
            Interrupted runs leave such objects. Other files in the folder 'objects' are reported, and stay. Other \
            processes may use the container meanwhile.
            """)

    @OptionGroup var container: ContainerOption

    @Option(
        help: ArgumentHelp("Keep files that changed within this time: 90s, 15m, 24h, 7d.", valueName: "duration"),
        transform: DurationArgument.parse)
    var grace = DurationArgument(seconds: CollectOptions.grace)

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(help: "Print a JSON object a line: leftovers, and at the end the result.")
    var json = false

    func run() async throws {
        let view = MaintenanceView(json: json, containerOption: container.again, hasProgress: false)
        let root = try container.location()
        var options = CollectOptions()
        options.grace = grace.seconds
        options.isPlan = dryRun
        let (json, chosen) = (json, options)
        let sum = try await view.watch { _ in
            try await ContainerMaintenance.collect(root, chosen) { Self.show($0, json, view) }
        }
        if json { try view.console.print(json: [dryRun ? "would_collect" : "collected": sum]) }
        try view.finish(lines(sum), isComplete: true)
    }

    private static func show(_ event: CollectEvent, _ json: Bool, _ view: MaintenanceView) {
        switch event {
        case .leftover(let leftover) where json:
            // A leftover has only numbers and hexadecimal digits, so its JSON cannot fail.
            try? view.console.print(json: ["leftover": leftover], flushing: false)
        case .leftover: break
        case .strange(let finding): view.show(finding)
        }
    }

    private func lines(_ sum: Collected) -> [StyledLine] {
        let verb = dryRun ? "would be removed" : "removed"
        var lines: [StyledLine] = ["\(Units.count(sum.files, "leftover")) \(verb), \(Units.bytes(sum.bytes))"]
        if sum.young > 0 {
            lines.append("\(Units.count(sum.young, "file")) without a row left alone: younger than \(grace.text)")
        }
        return lines
    }
}
