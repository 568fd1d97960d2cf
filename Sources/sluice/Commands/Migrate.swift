import ArgumentParser
import GroupContainer

/// `sluice migrate`: brings a container of an older format up to date.
struct Migrate: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring a container of an older format up to date.",
        discussion: """
            No other process may use the container meanwhile. Older programs refuse it afterwards. Migrate on the \
            machine that the packages came from, so that it recognizes their files.
            """)

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let report = try FormatMigration.run(try container.location(), machine: ContainerLocation.machine())
        let (old, new) = (report?.version, FormatMigration.version)
        if json {
            try console.print(json: ["migrated": ["from": old ?? new, "to": new]])
        } else if let old {
            console.print("migrated from format \(old) to \(new)")
        } else {
            console.print("the container has format \(new) already")
        }
        try console.finish()
    }
}
