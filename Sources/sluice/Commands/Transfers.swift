import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage
import Transfers

/// `sluice transfers`: what is sent in the background.
struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "See and steer what is sent in the background.",
        discussion: """
            A sink such as 'upload' hands large content over to a process that sends it, also after the command that began it has \
            ended. If that process ends too, the next command that delivers goes on with it.
            """, subcommands: [List.self, Show.self, Cancel.self, Retry.self], defaultSubcommand: List.self)

    /// A transfer in JSON.
    fileprivate struct Entry: Encodable {
        let id: String
        let name: String?
        let status: TransferRecord.Status
        let session: String
        let method: String
        let url: String
        let account: String?
        let user: String?
        let size: Int64?
        let sent: Int64
        let failures: Int
        let due: String?
        let why: String?
        let began: String
        var events: [Event]?

        enum CodingKeys: String, CodingKey {
            case id, name, status, session, method, url, account, user, size, sent, failures, due, why, began, events
        }

        init(_ record: TransferRecord) {
            let order = record.order
            (id, status, session) = (order.key, record.outcome, order.session)
            name = order.name
            (method, url) = (order.head.method, order.head.url)
            (account, user) = (order.head.login?.account.description, order.head.login?.user)
            (size, failures, why) = (TransferText.size(record), record.failures, record.why)
            sent = record.outcome == .finished ? size ?? record.sent : record.sent
            due =
                record.status == .open && record.due > 0
                ? Timestamp(nanoseconds: record.due * 1_000_000).description : nil
            began = Timestamp(nanoseconds: record.began * 1_000_000).description
        }
    }

    fileprivate struct Event: Encodable {
        let kind: TransferStep.Kind
        let time: String
        let session: String
        let process: Int32
        let why: String?

        init(_ step: TransferStep) {
            (kind, session, process, why) = (step.kind, step.session, step.process, step.why)
            time = Timestamp(nanoseconds: step.time * 1_000_000).description
        }
    }

    struct List: ContainerCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what is sent, and what was sent.",
            discussion: """
                Each line has what became of it, the beginning of the delivery's id, the name, how much was sent, where it goes, and \
                why the last try failed.
                """)

        @OptionGroup var container: ContainerOption

        @Flag(help: "List also those that have ended.")
        var all = false

        @Flag(help: "Print one JSON object a line.")
        var json = false

        var saysWhatNeedsALogin: Bool { false }

        func run() async throws {
            let console = Console()
            let records = try TransferDesk(container).store?.transfers(onlyOpen: !all) ?? []
            for record in records {
                if json { try console.print(json: Entry(record)) } else { console.print([TransferText(record).line]) }
            }
            if records.isEmpty, !json {
                console.say(all ? "nothing was sent in the background" : "nothing is being sent; --all lists what was")
            }
            try console.finish()
        }
    }

    struct Show: ContainerCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print each event of a transfer, with process, session and time.")

        @OptionGroup var container: ContainerOption

        @Argument(help: ArgumentHelp("The transfer: the first digits of its id.", valueName: "id"))
        var id: String

        @Flag(help: "Print one JSON object.")
        var json = false

        var saysWhatNeedsALogin: Bool { false }

        func run() async throws {
            let console = Console()
            let desk = try TransferDesk(container)
            let record = try desk.transfer(id)
            let steps = try desk.store?.steps(of: record.number) ?? []
            if json {
                var entry = Entry(record)
                entry.events = steps.map(Event.init)
                try console.print(json: entry)
            } else {
                console.print([TransferText(record).line] + steps.map { TransferText.line($0) })
            }
            try console.finish()
        }
    }

    struct Cancel: ContainerCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "End a transfer. The service may have got a part of it.")

        @OptionGroup var container: ContainerOption

        @Argument(help: ArgumentHelp("The transfer: the first digits of its id.", valueName: "id"))
        var id: String

        var saysWhatNeedsALogin: Bool { false }

        func run() async throws {
            let desk = try TransferDesk(container)
            let isDownload = try desk.transfer(id).order.download != nil
            try await desk.change(id, .cancel, otherwise: "it is not open")
            let console = Console()
            let next: StyledLine =
                isDownload
                ? "\(command: "sluice deliver\(container.again)") goes on without what it would have fetched"
                : "\(command: "sluice deliver --retry \(id)\(container.again)") sends it again"
            console.print("canceled; \(next)")
            try console.finish()
        }
    }

    struct Retry: ContainerCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Try a transfer now, which waits for a later try or has failed.")

        @OptionGroup var container: ContainerOption

        @Argument(help: ArgumentHelp("The transfer: the first digits of its id.", valueName: "id"))
        var id: String

        var saysWhatNeedsALogin: Bool { false }

        func run() async throws {
            let desk = try TransferDesk(container)
            try await desk.change(id, .retry, otherwise: "the service has answered it")
            let console = Console()
            console.print(
                "it is tried now; \(command: "sluice transfers show \(id)\(container.again)") shows how it goes")
            try console.finish()
        }
    }
}

/// The transfers of the container that a command names.
private struct TransferDesk {
    let store: TransferStore?
    private let options: IngestOptions

    init(_ container: ContainerOption) throws {
        options = try container.options()
        // Throws if there is no container.
        _ = try CatalogReader(reading: options.container)
        store = try TransferStore(reading: options.container)
    }

    func transfer(_ id: String) throws -> TransferRecord {
        let found = try store?.transfers(keyPrefix: id.lowercased()) ?? []
        guard let first = found.first, !id.isEmpty else {
            throw IngestionError(.notFound, "there is no transfer '\(id)'; 'sluice transfers --all' lists them")
        }
        guard found.count == 1 else {
            throw IngestionError(.notFound, "several transfers begin with '\(id)'; give more digits")
        }
        return first
    }

    func change(_ id: String, _ change: ChangeOrder.Change, otherwise why: String) async throws {
        let record = try transfer(id)
        let client = Pipeline(options: options).accounts.makeClient()
        guard try await client.change(record.order.key, change) == .done else {
            throw IngestionError(.notFound, "the transfer \(id) stays as it is: \(why)")
        }
    }
}
