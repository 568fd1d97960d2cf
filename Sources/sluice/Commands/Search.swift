import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel

/// `sluice search`: lists the packages that have all the given words.
struct Search: ContainerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find packages by words in their titles, names and texts.",
        discussion: """
            A package must have every word. The last word may be the beginning of one. Case and accents do not matter. \
            The search includes the words that sinks found, such as a PDF's author. The best matches come first, and \
            the newest of equals.
            """)

    @Argument(help: ArgumentHelp("A word to look for.", valueName: "word"))
    var words: [String]

    @Option(help: ArgumentHelp("List at most this many packages.", valueName: "n"))
    var limit = 100

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        let console = Console()
        var printer = EntryPrinter(console: console, json: json)
        let reader = try CatalogReader(reading: try container.location())
        guard let query = SearchQuery(words) else {
            throw IngestionError(.usage, "there is no word to look for; write one with a letter or a digit")
        }
        var unreadable = UnreadablePackages(console: console, containerOption: container.again)
        try reader.search(query, limit: limit, unreadable: { unreadable.warn($0) }) { try printer.print($0) }
        try console.finish()
        let count = printer.count + unreadable.count
        if count == limit, !json { console.say("there may be more; --limit \(limit * 10) shows them") }
        if count == 0, !json { console.say("nothing is found") }
        try unreadable.status.leave()
    }
}
