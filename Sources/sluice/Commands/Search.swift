import ArgumentParser
import ContainerTools
import GroupContainer
import Ingestion
import ShareModel

/// `sluice search`: lists the packages that have all the given words.
struct Search: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find packages by any word of their names, titles and texts.",
        discussion: """
            A package must have every word. A word of four letters or more also finds longer ones that begin with it. \
            Case and accents do not matter. The best matches come first: titles before names, and names before texts.

              tea OR coffee       one of both
              '"green tea"'       a phrase
              te*                 the beginning of a word
              -coffee             without this word
              type:pdf            a kind or an ending: photo, mail, spreadsheet, docx, image/png …
              from:anna, to:ben   a sender or an author; a recipient
              title:report        a title or a mail's subject
              name:beach          the name of a file
              in:Downloads        a folder that a file came from
              tag:taxes           a tag
              sink:pdf-import     packages with a delivery to this sink
              after:2024-03       made in or after March 2024
              before:2025         made before 2025

            Exit status: 0 something is found; 1 nothing is found, or a record cannot be read.
            """)

    @Argument(help: ArgumentHelp("A word, a phrase or a filter.", valueName: "word"))
    var words: [String]

    @Option(help: ArgumentHelp("List at most this many packages.", valueName: "n"))
    var limit = 20

    @Option(help: ArgumentHelp("The order: \(orders).", valueName: "order"), transform: order)
    var sort = SearchIndex.Order.best

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    private static var orders: String { SearchIndex.Order.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func order(_ word: String) throws -> SearchIndex.Order {
        guard let order = SearchIndex.Order(rawValue: word) else { throw ValidationError("one of: \(orders)") }
        return order
    }

    func validate() throws {
        guard (1...SearchIndex.resultLimit).contains(limit) else {
            throw ValidationError("--limit must be from 1 to \(Units.grouped(SearchIndex.resultLimit)).")
        }
    }

    func run() async throws {
        let console = Console()
        let query = try SearchQuery.parsed(words)
        let location = try container.location()
        let index = try SearchIndex(of: CatalogReader(reading: location))
        IndexView(console: console).update(index)
        var printer = ResultPrinter(console: console, json: json, container: location)
        var unreadable = UnreadablePackages(console: console, containerOption: container.again)
        let isCut = try index.search(query, order: sort, limit: limit, unreadable: { unreadable.warn($0) }) {
            try printer.print($0)
        }
        try printer.finish()
        if isCut, !json {
            console.say("there are more; --limit \(min(limit * 10, SearchIndex.resultLimit)) shows them")
        }
        if printer.count == 0, !json {
            console.say("nothing is found\(try hint(query, index))")
        }
        try (printer.count == 0 ? .incomplete : unreadable.status).leave()
    }

    /// Why a query that found nothing may mean something else than the person thinks.
    private func hint(_ query: SearchQuery, _ index: SearchIndex) throws -> StyledLine {
        if let kind = query.unknownKinds.first {
            return
                "; \(kind) is no kind, so it is looked for as the ending of a name. Kinds are pdf, photo, mail, page, note, "
                + "document, spreadsheet, presentation, book, music, film, archive and link"
        }
        let isAlternative = words.flatMap { $0.split(separator: " ") }.contains("or")
        if isAlternative { return "; for one of several words, write OR in capitals" }
        guard !query.parts.isEmpty else { return "" }
        let missing = try index.missing(query)
        guard !missing.isEmpty else { return "; each word is there, but no package has all of them" }
        var line: StyledLine = "; no package has \(name: missing[0])"
        for word in missing.dropFirst() { line += ", \(name: word)" }
        return line
    }
}

extension SearchQuery {
    /// The query for the words of a command.
    ///
    /// - Throws: ``IngestionError`` if they mean nothing.
    static func parsed(_ words: [String]) throws -> SearchQuery {
        do { return try SearchQuery(words) } catch { throw IngestionError(.usage, error.description) }
    }
}
