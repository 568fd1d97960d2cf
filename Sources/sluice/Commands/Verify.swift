import ArgumentParser
import ContainerTools
import ShareModel

/// `sluice verify`: checks every row against its file, and every file against its row.
struct Verify: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every object and every row. With --repair, repair the faults.",
        discussion: """
            Exit status: 0 no fault is left; 1 faults are left; 2 the container cannot be used. A repair takes damaged \
            content from its source again. If the source no longer has it, the repair moves the object to the folder \
            'quarantine' and records that the content is lost. Other processes may use the container meanwhile.
            """)

    private static let jobLimit = 64

    @OptionGroup var container: ContainerOption

    @Flag(help: "Repair the faults, and report content that is lost.")
    var repair = false

    @Option(
        help: ArgumentHelp(
            "Hash this many percent of the objects; check the size and mode of all.", valueName: "percent"))
    var sample = 100.0

    @Option(help: ArgumentHelp("The number of objects that are hashed at once, 1 to 64.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Print a JSON object a line: findings, and at the end the result.")
    var json = false

    func validate() throws {
        guard sample > 0, sample <= 100 else { throw ValidationError("--sample: name a number above 0, up to 100.") }
        if let jobs, !(1...Self.jobLimit).contains(jobs) {
            throw ValidationError("--jobs \(jobs): name a number from 1 to \(Self.jobLimit).")
        }
    }

    func run() async throws {
        let view = MaintenanceView(json: json, containerOption: container.again)
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
        try view.finish(lines, isComplete: sum.isSound)
    }
}
