import ArgumentParser
import GroupContainer
import ShareModel
import SystemPackage

/// `sluice changes`: what changed in the container, in order, for programs that keep up with it.
struct Changes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what changed in the container, in order.",
        discussion: """
            Every change has a number and a cursor. --since CURSOR lists the changes after it.

            The container remembers a cursor for each observer. --as NAME lists the changes after the one that NAME \
            acknowledged last, and --as NAME --ack CURSOR acknowledges all changes up to the cursor. Listing never moves \
            an observer: acknowledge a change when your program has handled it, and no change is lost when the program dies.

            After a container was copied or restored an old cursor means nothing. The first line then says so, and all \
            changes follow from the beginning.
            """)

    @Option(
        help: ArgumentHelp("Only what follows this cursor, or this number.", valueName: "cursor"),
        transform: cursor)
    var since: ChangeCursor?

    @Flag(help: "Wait for more at the end.")
    var follow = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Only what follows the last change that this observer acknowledged.", valueName: "name"),
        transform: observer)
    var observer: String?

    @Option(
        help: ArgumentHelp(
            "Record that the observer of --as has handled each change up to this cursor; print nothing.",
            valueName: "cursor"),
        transform: cursor)
    var ack: ChangeCursor?

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
        guard Observers.isName(name) else {
            throw ValidationError(
                "a name is up to 64 of a-z, 0-9, '.', '-' and '_', the first a letter or digit; 'library' is taken")
        }
        return name
    }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        guard ack != nil else { return }
        guard observer != nil else { throw ValidationError("--ack needs an observer; name it with --as.") }
        guard since == nil, limit == nil, !follow else {
            throw ValidationError("--ack lists nothing; leave out --since, --limit and --follow.")
        }
    }

    func run() async throws {
        if let observer, let ack {
            return try Observers(opening: try container.location()).acknowledge(observer, ack)
        }
        try await list()
    }

    private func list() async throws {
        let console = Console()
        let feed = try ChangeFeed(reading: try container.location(), observer: observer)
        var request = ChangeFeed.Request()
        request.since = since
        request.limit = limit
        request.follows = follow
        request.output = .standardOutput
        let json = json
        let end = await Interruption.watch(announce: { _ in }) { [request] _ in
            try await feed.read(request) { events in
                for event in events { try Self.print(event, asJSON: json, on: console) }
                // A reader of a pipe gets each page at once.
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

/// A change in a line:
///
///     12  package     4f3a12b0c9d1  accepted
///     13  delivery    9487fcd98633  delivered  pdf-import, of 4f3a12b0c9d1
struct ChangeLine {
    let change: ChangeEntry

    var line: StyledLine {
        let kind: StyledLine = "\(change.kind)"
        var line: StyledLine = "\(change.number)  \(kind.padded(to: 10))  \(ShortID.of(change.id), .dim)"
        if let outcome = change.outcome { line += "  \(outcome)" }
        if let sink = change.sink { line += "  \(sink)" }
        if let package = change.package { line += "  \("of \(ShortID.of(package))", .dim)" }
        return line
    }
}
