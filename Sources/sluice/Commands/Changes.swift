import ArgumentParser
import GroupContainer
import ShareModel
import SystemPackage

/// `sluice changes`: lists the changes of the container, for programs that keep a copy of it up to date.
struct Changes: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the changes of the container, in order.",
        discussion: """
            Every change has a number and a cursor. --since CURSOR lists the changes after it.

            The container remembers a cursor for each observer. --as NAME lists the changes after the one that NAME \
            acknowledged last, and --as NAME --ack CURSOR acknowledges all changes up to the cursor. Listing never \
            moves an observer. Acknowledge a change when your program has handled it; then no change is lost if the \
            program dies.

            After a container was copied or restored, its feed no longer has the old cursors. The first line then says \
            so, and all changes follow from the beginning.
            """)

    @Option(
        help: ArgumentHelp("List only the changes after this cursor, or this number.", valueName: "cursor"),
        transform: cursor)
    var since: ChangeCursor?

    @Flag(help: "Wait for more changes at the end.")
    var follow = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "List only the changes after the last one that this observer acknowledged.", valueName: "name"),
        transform: observer)
    var observer: String?

    @Option(
        help: ArgumentHelp(
            "Record that the observer of --as has handled each change up to this cursor; print nothing.",
            valueName: "cursor"),
        transform: cursor)
    var ack: ChangeCursor?

    @Option(help: ArgumentHelp("List at most this many changes.", valueName: "n"))
    var limit: Int?

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    // Both are checked while the arguments are parsed, so a mistake is a usage error and nothing is opened.
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
            // The only form of this command that writes, so only this one opens the container for writing.
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
        // Following ends when the program that reads the output has ended.
        request.output = .standardOutput
        let json = json
        let end = await Interruption.watch(announce: { _ in }) { [request] _ in
            try await feed.read(request) { events in
                for event in events { try Self.print(event, asJSON: json, on: console) }
                // A program that reads a pipe must get each page at once.
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

/// A change as one line:
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
