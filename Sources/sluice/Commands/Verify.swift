import ArgumentParser
import GroupContainer
import ShareModel

/// `sluice verify`: hold every row against its file, and every file against its row.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check every object and every row; with --repair, mend what can be mended.",
        discussion: """
            Exit status: 0 all is well, or was mended; 1 something is wrong; 2 the container cannot be used. A repair takes \
            damaged content again from its source where that is still there; else it moves the object to the folder \
            'quarantine' and records that it is lost. Other processes may use the container meanwhile.
            """)

    private static let jobLimit = 64

    @OptionGroup var container: ContainerOption

    @Flag(help: "Mend what can be mended, and say what is lost.")
    var repair = false

    @Option(help: ArgumentHelp("Hash so many percent of the objects; look at all.", valueName: "percent"))
    var sample = 100.0

    @Option(help: ArgumentHelp("How many objects are hashed at once, 1 to 64.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Print a JSON object a line: findings, at last what was verified.")
    var json = false

    func validate() throws {
        guard sample > 0, sample <= 100 else { throw ValidationError("--sample: name a number above 0, up to 100.") }
        if let jobs, !(1...Self.jobLimit).contains(jobs) {
            throw ValidationError("--jobs \(jobs): name a number from 1 to \(Self.jobLimit).")
        }
    }

    func run() async throws {
        let view = MaintenanceView(json: json)
        let root = try container.location()
        var options = VerifyOptions()
        options.repairs = repair
        options.sample = sample
        if let jobs { options.jobs = jobs }
        let chosen = options
        let sum = try await view.watch { report in
            try await ContainerMaintenance.verify(root, chosen, report: report)
        }
        if json { try view.console.print(json: ["verified": sum]) }
        let lines = VerifiedText(sum: sum, sample: sample, repairs: repair, containerOption: container.again).lines
        if json { lines.forEach(view.console.say) } else { view.console.print(lines) }
        try view.console.finish()
        try (sum.isSound ? ExitStatus.success : .incomplete).leave()
    }
}
