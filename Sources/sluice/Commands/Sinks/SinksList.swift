import ArgumentParser
import Ingestion

/// `sluice sinks list`: all sinks that were found, also those that are hidden, turned off or broken.
struct SinksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sinks that were found, in the order of the search.",
        discussion: "Exit status: 0, even if a sink is broken or cannot be started; the list gives the reason.")

    @Flag(help: "Name all types that a sink accepts.")
    var all = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        let console = Console()
        let entries = SinkSurvey(options: SinkPlaces().options).entries
        for entry in entries {
            if json {
                try console.print(json: ["sink": entry])
            } else {
                console.print(SinkTree(entry: entry, typeLimit: all ? nil : 6, allOption: "--all").lines)
            }
        }
        if entries.isEmpty, !json { console.say("no sink was found; name a folder of sinks in SLUICE_SINKS") }
        try console.finish()
    }
}
