import ArgumentParser
import GroupContainer
import ShareModel

/// `sluice gc`: remove what nothing names.
struct GC: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Remove objects that nothing names, after a grace period.",
        discussion: """
            Runs that were interrupted leave such files. What lies among the objects and is none is named, and left alone. \
            Other processes may use the container meanwhile.
            """)

    @OptionGroup var container: ContainerOption

    @Option(help: ArgumentHelp("Leave files alone that changed so lately: 90s, 15m, 24h, 7d.", valueName: "duration"))
    var grace = Grace(seconds: CollectOptions.grace)

    @Flag(help: "Show what would be removed, removing nothing.")
    var dryRun = false

    @Flag(help: "Print a JSON object a line: leftovers, at last what was collected.")
    var json = false

    func run() async throws {
        let view = MaintenanceView(json: json)
        let root = try container.location()
        var options = CollectOptions()
        options.grace = grace.seconds
        options.isPlan = dryRun
        let (json, chosen) = (json, options)
        let sum = try await view.watch { _ in
            try await ContainerMaintenance.collect(root, chosen) { Self.show($0, json, view) }
        }
        if json { try view.console.print(json: ["collected": sum]) }
        let lines = lines(sum)
        if json { lines.forEach(view.console.say) } else { view.console.print(lines) }
        try view.console.finish()
    }

    private static func show(_ event: CollectEvent, _ json: Bool, _ view: MaintenanceView) {
        switch event {
        case .leftover(let leftover) where json:
            // Numbers and digits: there is nothing in it that JSON could refuse.
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

/// A span of time on the command line: a whole number and a unit.
struct Grace: ExpressibleByArgument {
    private static let units: [(name: Character, seconds: Int64)] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]

    let seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        guard let last = argument.last, let unit = Self.units.first(where: { $0.name == last }),
            let count = Int64(argument.dropLast()), count >= 0
        else { return nil }
        let (seconds, isTooMuch) = count.multipliedReportingOverflow(by: unit.seconds)
        guard !isTooMuch else { return nil }
        self.seconds = seconds
    }

    /// In the largest unit that divides it.
    var text: String {
        let unit = Self.units.last { seconds % $0.seconds == 0 && seconds > 0 } ?? Self.units[0]
        return "\(seconds / unit.seconds)\(unit.name)"
    }

    var defaultValueDescription: String { text }
}
