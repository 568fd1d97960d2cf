import Agent
import ArgumentParser
import Ingestion
import ShareModel
import Synchronization
import SystemPackage

/// `sluice share`: take one share in, and return as soon as it is durable.
struct Share: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        // With this experimental part of ArgumentParser's interface, a command that is parsed alone does not look for a request
        // of a completion script, which would take a twenty-fifth of its time.
        _superCommandName: "sluice",
        abstract: "Take one share in and return; no sink is started.",
        discussion: """
            Several PATHs are one package, such as five photos and the link that they are from. With '-', the command reads \
            one package from standard input, as 'sluice ingest' does. The share is stored whole or not at all, and is \
            durable when the command ends. An agent hands it to the sinks; see 'sluice help agent'. --wait waits for \
            that. If the container has to be migrated first, the share waits in its inbox.

              sluice share photo1.jpg photo2.jpg https://example.org/album --title "The picnic"
              echo '{"version": 1, "items": [{"title": "Tea", "text": "buy some"}]}' | sluice share -

            Exit status: 0 stored, or there already; 1 stored in part, or, with --wait, not delivered; \(SharingError.Code.statuses). Then nothing of the share was \
            stored. 64 usage; 130 ended by a second Ctrl-C: run it again.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and web addresses that belong together, or '-' for standard input.", valueName: "path"))
    var paths: [PathsArgument] = []

    @OptionGroup var container: ContainerOption
    @OptionGroup var reserve: ReserveOption

    @Option(help: ArgumentHelp("Take standard input in as one file of this name.", valueName: "name"))
    var name: String?

    @Option(help: "The title of the share.")
    var title: String?

    @Option(help: "A caption. Without a PATH, the text is the share.")
    var text: String?

    @Option(
        help: ArgumentHelp("Give this tag to the share. Repeatable.", valueName: "word"), transform: TagArgument.parse)
    var tag: [PackageTag] = []

    @Option(
        help: ArgumentHelp(
            "The sink for the content, instead of the one for its type; 'sluice status --destinations' lists them.",
            valueName: "name"))
    var to: String?

    @Flag(help: "Wait until an agent has made the deliveries. Ctrl-C then ends only the waiting.")
    var wait = false

    @Flag(help: "Print the receipt as one JSON object.")
    var json = false

    private var isStandardInput: Bool { addresses == [.standardInput] || addresses.isEmpty && name != nil }
    private var addresses: [InputAddress] { paths.flatMap(\.addresses) }

    func validate() throws {
        try TagArgument.check(tag)
        if wait, !AgentStart.isAllowed {
            throw ValidationError(
                "--wait needs an agent, and \(AgentStart.variable)=off forbids to start one; 'sluice deliver' delivers without one."
            )
        }
        if name != nil, !isStandardInput {
            throw ValidationError("--name names standard input, so the only PATH is '-'.")
        }
        if addresses.count > 1, addresses.contains(.standardInput) { throw InputOptions.standardInputIsNotAlone }
    }

    func run() async throws {
        let console = Console()
        var options = try container.options()
        options.transferSession = "share"
        options.title = InputOptions.given(title)
        options.text = InputOptions.given(text)
        options.tags = tag
        options.destination = to
        reserve.set(&options)
        // A folder that was named must be there, since a mistyped name would hide the share.
        let session = SharingSession(options: options, makesContainer: !container.isNamed)
        if isStandardInput {
            session.addStandardInput(named: name.map(InputOptions.plain))
        } else {
            for address in addresses {
                switch address {
                case .path(let path): session.add(file: path)
                case .link(let text): session.add(link: text)
                case .unusable(let url, let why):
                    throw ShareFailure(SharingError(.unreadableSource, "\(url): \(why)"))
                }
            }
        }
        let progress = ProgressLine(stream: console.error, terminal: console.errorTerminal, isWanted: true)
        let view = ShareView(console: console, json: json, containerOption: container.again)
        // What is durable, whatever becomes of the wait.
        let stored = Mutex<Receipt?>(nil)
        let end = await Interruption.watch { _ in
        } _: { [options, wait, json, reserve = reserve.arguments, again = container.again] _ in
            let result = try await progress.during { try await session.commit { progress.take(.progress($0)) } }
            guard case .stored(let receipt) = result else {
                if case .waiting(let share) = result { try view.show(waiting: share) }
                return nil as Receipt?
            }
            stored.withLock { $0 = receipt }
            try view.show(receipt, isFinal: !wait)
            guard receipt.hasOpenDeliveries else { return receipt }
            let start = { @Sendable in AgentStart.begin(for: options.container, options: reserve) }
            guard wait else {
                start()
                return receipt
            }
            // An agent that does not answer may still make the deliveries.
            if let agent = try await AgentClient(of: options.container).statusIfItAnswers(console) {
                // A pause may last for ever.
                if agent.activity == .paused {
                    console.say("the agent is paused; \(command: "sluice agent resume\(again)") lets it go on")
                }
                AgentText(status: agent, now: 0, containerOption: again)
                    .differences(from: AgentStatus.Options(options)).forEach(console.say)
            }
            let end = DeliveryEnd(of: receipt.packageID, options: options, startingAgent: start)
            var delivered = try await end.wait()
            if !json, Terminal.inputIsTerminal, try await LoginInPlace.logIn(for: delivered, options, again, console) {
                delivered = try await end.wait()
            }
            return Pipeline(options: options).explainingOpenDeliveries(in: delivered)
        }
        do {
            guard let receipt = stored.withLock(\.self) else {
                _ = try end.result.get()
                if wait { try ExitStatus.incomplete.leave() }
                return
            }
            if wait { try view.show(end, of: receipt) } else { _ = try end.result.get() }
            if receipt.outcome == .partial { try ExitStatus.incomplete.leave() }
        } catch let error as SharingError {
            throw ShareFailure(error)
        }
    }
}

/// What a person or a program sees of a share.
private struct ShareView {
    let console: Console
    let json: Bool
    let containerOption: StyledLine

    /// Shows what was stored.
    ///
    /// - Parameter isFinal: whether no wait for the deliveries follows. With JSON, there is one receipt, with their outcomes.
    func show(_ receipt: Receipt, isFinal: Bool) throws {
        // The share is durable, so its status says so even if the line cannot be written.
        defer { console.output.flush() }
        guard !json else { return isFinal ? try console.print(json: receipt) : () }
        let text = ReceiptText(
            receipt: receipt, names: SourceNames(), containerOption: containerOption, isOpen: !isFinal,
            layout: ResultLayout(columns: console.outputTerminal.columns))
        let open = receipt.deliveries.count { $0.outcome == .pending }
        console.print(
            text.lines + (AgentStart.isAllowed ? [] : SummaryText.next(open: open, containerOption: containerOption)))
    }

    /// Shows that a share waits in the inbox.
    func show(waiting share: FilePath) throws {
        defer { console.output.flush() }
        guard !json else { return try console.print(json: ["waiting": ["path": share.string]]) }
        console.print([
            "\("waiting", .warning)    in the inbox, until the container is migrated: \(command: "sluice migrate\(containerOption)")",
            "           \(share.string)",
        ])
    }

    /// Shows how the wait for the deliveries ended.
    func show(_ end: Interruption.End<Receipt?>, of stored: Receipt) throws {
        let receipt = (try? end.result.get()) ?? stored
        if json {
            try show(receipt, isFinal: true)
        } else if case .success = end.result {
            console.print(
                receipt.providers.flatMap { provider in
                    provider.deliveries.map {
                        DeliveryText(record: $0, containerOption: containerOption).line(name: provider.name)
                    }
                })
            console.output.flush()
        }
        if end.isWithoutResult {
            let id = ShortID.of(receipt.packageID)
            return console.say(
                "the share is stored; only the wait for its deliveries has ended. \(command: "sluice status\(containerOption)") shows "
                    + "what is open. To take the share back: \(command: "sluice forget \(id)\(containerOption)")")
        }
        // What is durable is never reported as a failure of the share.
        if case .failure(let error) = end.result {
            console.say("the share is stored; the wait for its deliveries failed: \(String(describing: error))")
            try ExitStatus.incomplete.leave()
        }
        let outcomes = receipt.providers.flatMap(\.deliveries).map(\.outcome)
        let bad: Set<DeliveryOutcome> = [.pending, .failed, .quarantined]
        if !bad.isDisjoint(with: outcomes) { try ExitStatus.incomplete.leave() }
    }
}

/// A share that was not taken in.
struct ShareFailure: Error {
    private(set) var error: SharingError

    init(_ error: SharingError) {
        self.error = error
        if error.code == .noDestination {
            self.error.remedy = nil
            self.error.message += "; `sluice status --destinations` lists them"
        }
        if error.remedy == .nameInput {
            self.error.remedy = nil
            self.error.message +=
                "; --name NAME takes its bytes in as a file of that name, and --text TEXT shares words"
        }
        if let end = error.message.firstRange(of: ": no such file")?.lowerBound, error.message[..<end].contains(" ") {
            self.error.message += ", or share words with --text"
        }
        // A person may have named several things, of which one is at fault.
        if [.unreadableSource, .noSpace, .noDestination].contains(error.code) {
            self.error.message = "nothing is shared: \(self.error.message)"
        }
    }

    /// The status of the command.
    var status: Int32 { error.code.status }
}

extension SharingError.Code {
    /// The exit status of `sluice share`, beside 0, 1 and those for usage.
    fileprivate var status: Int32 {
        switch self {
        case .container: ExitStatus.container.rawValue
        case .nothingToShare: 10
        case .unreadableSource: 11
        case .noContainer: 12
        case .needsMigration: 13
        case .newerFormat: 14
        case .noSpace: 15
        case .canceled: 16
        case .noDestination: 17
        }
    }

    private var words: String {
        switch self {
        case .container: "the container cannot be used"
        case .nothingToShare: "nothing to share"
        case .unreadableSource: "a file or the description cannot be read"
        case .noContainer: "no container in the named folder"
        case .needsMigration: "the container needs 'sluice migrate'"
        case .newerFormat: "a newer program wrote the container"
        case .noSpace: "no space"
        case .canceled: "canceled"
        case .noDestination: "the destination is unknown or takes nothing of it"
        }
    }

    /// The statuses, for the help.
    fileprivate static var statuses: String {
        // Each share makes this text. The first use of `joined` makes the runtime look for types by their names.
        var list = ""
        for code in allCases.sorted(by: { $0.status < $1.status }) {
            list += (list.isEmpty ? "" : "; ") + "\(code.status) \(code.words)"
        }
        return list
    }
}
