import ArgumentParser
import Ingestion
import ShareModel
import SystemPackage

/// `sluice changes`: what changed in the container, in order, for whoever keeps up with it.
struct Changes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what changed in the container, in order.",
        discussion: """
            Every change has a number and a cursor; hand the last cursor in with --since to get what follows it. After a \
            container was copied or restored an old cursor means nothing: the first line then says so, and all changes \
            follow from the beginning.
            """)

    @Option(
        help: ArgumentHelp("Only what follows this cursor, or this number.", valueName: "cursor"),
        transform: cursor)
    var since: ChangeCursor?

    @Flag(help: "Wait for more at the end.")
    var follow = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Begin where this observer was last, and remember how far it came.", valueName: "name"),
        transform: observer)
    var observer: String?

    @Option(help: ArgumentHelp("At most so many changes.", valueName: "n"))
    var limit: Int?

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    private static func cursor(_ text: String) throws -> ChangeCursor {
        guard let cursor = ChangeCursor(text) else {
            throw ValidationError("a cursor is EPOCH.NUMBER, as 'sluice changes --json' shows it, or a number")
        }
        return cursor
    }

    private static func observer(_ name: String) throws -> String {
        guard ChangeFeed.isObserver(name) else {
            throw ValidationError(
                "a name is up to 64 of a-z, 0-9, '.', '-' and '_', the first a letter or digit; 'library' is taken")
        }
        return name
    }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        let console = Console()
        let feed = try ChangeFeed(container: try container.location(), observer: observer)
        var request = ChangeFeed.Request()
        request.since = since
        request.limit = limit
        request.follows = follow
        request.output = .standardOutput
        let json = json
        let end = await Interruption.watch(announce: { _ in }) { [request] _ in
            try await feed.read(request) { events in
                for event in events { try Self.print(event, asJSON: json, on: console) }
                // Throws where the lines are not out: the observer has not seen them then.
                try console.finish()
            }
        }
        if end.cause != nil { return try ExitStatus.interrupted.leave() }
        try end.result.get()
    }

    private static func print(_ event: FeedEvent, asJSON: Bool, on console: Console) throws {
        switch event {
        case .reset(let reset):
            if asJSON {
                try console.print(json: ["reset": reset], flushing: false)
            } else {
                console.say("\("from the beginning:", .warning) \(reset.why)")
            }
        case .change(let change):
            if asJSON {
                try console.print(json: ["change": change], flushing: false)
            } else {
                console.print(ChangeLine(change: change).line, flushing: false)
            }
        }
    }
}
