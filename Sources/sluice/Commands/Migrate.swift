import ArgumentParser
import Ingestion

/// `sluice migrate`: bring a container of an older format up to date.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring a container of an older format up to date.",
        discussion: "No other process may use the container meanwhile. Older programs refuse it afterwards.")

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        let report = try Migration.run(try container.location())
        let old = report?.version
        if json {
            try console.print(json: ["migrated": ["from": old ?? Migration.version, "to": Migration.version]])
        } else if let old {
            console.print("migrated from format \(old) to \(Migration.version)")
        } else {
            console.print("the container has format \(Migration.version) already")
        }
        for id in report?.unreadable ?? [] {
            console.say("the receipt of package \(id) cannot be read; no search finds it")
        }
        try console.finish()
    }
}
