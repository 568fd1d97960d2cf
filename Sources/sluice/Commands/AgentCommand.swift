import Agent
import ArgumentParser
import Files
import GroupChannel
import GroupContainer
import Ingestion
import ShareModel
import SinkHost
import SystemPackage

/// `sluice agent`: the app of a container, or an order to it.
struct AgentCommand: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Run the container's agent: it makes each delivery when it is due.",
        discussion: """
            One agent runs for each container. It notices what any process adds, retries in time, looks for changed sinks \
            and settings before each round, and answers 'sluice status' and other clients. 'sluice share' starts one that \
            ends when nothing is left to do; SLUICE_AGENT=off forbids that. Ctrl-C or SIGTERM ends it after the delivery \
            under way; the others stay open. After an upgrade it goes on as the new program, before its next work.

              sluice agent            run it, until it is stopped
              sluice agent deliver    the running one tries every open delivery now, also after a pause
              sluice agent pause      it makes no delivery until 'sluice agent resume'
              sluice agent stop       it ends

            Exit status: 0 it was stopped; 1 the container has an agent already, or none to give an order to; 2 the \
            container cannot be used.
            """)

    @Argument(
        help: ArgumentHelp(
            "An order to the running agent: \(AgentOrder.Order.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "order"),
        transform: order)
    var order: AgentOrder.Order?

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }
    @OptionGroup var reserve: ReserveOption
    @OptionGroup var sandbox: SandboxOptions

    @Flag(help: "End when no delivery is open that can be made without your help.")
    var exitWhenIdle = false

    @Option(
        help: ArgumentHelp(
            "Without work for this time, the agent becomes a small process that only waits (default: \(AgentCommand.restAfter)).",
            valueName: "seconds"))
    var restAfter: Int?
    /// In seconds.
    private static let restAfter = 5

    @Flag(help: "Print one JSON object a line.")
    var json = false

    /// What a service manager says.
    private static let service: [String: String] = ["LISTEN_PID", "LISTEN_FDS", "NOTIFY_SOCKET"].reduce(into: [:]) {
        $0[$1] = Environment.text($1)
    }

    private static func order(_ word: String) throws -> AgentOrder.Order {
        switch word {
        case "start": throw ValidationError("'sluice agent' without an order runs the agent")
        case "status": throw ValidationError("'sluice status' shows what the agent does")
        default: break
        }
        guard let order = AgentOrder.Order(rawValue: word) else {
            throw ValidationError("'\(word)' is no order; the orders are deliver, pause, resume and stop")
        }
        return order
    }

    func validate() throws {
        if let restAfter, !(0...86_400).contains(restAfter) {
            throw ValidationError("--rest-after \(restAfter): name a number from 0 to 86400.")
        }
        for (option, isGiven) in [("--exit-when-idle", exitWhenIdle), ("--rest-after", restAfter != nil)]
        where order != nil && isGiven {
            throw ValidationError("\(option) is for the agent itself, without an order.")
        }
    }

    func run() async throws {
        let root = try container.location()
        // Throws if there is no container: an agent of an empty one would hide a mistyped path.
        let reader = try CatalogReader(reading: root)
        guard !reader.isOlder else {
            throw ContainerError(.olderFormat, "\(root) has an older format", remedy: .migrateContainer)
        }
        guard let order else { return try await work(root) }
        let status = try await AgentClient(of: root).give(order)
        let console = Console()
        if json {
            try console.print(json: ["agent": status])
        } else {
            let now = Clock.systemNanoseconds() / 1_000_000
            console.print(AgentText(status: status, now: now, containerOption: container.again).answer(to: order))
        }
        try console.finish()
    }

    private func work(_ root: FilePath) async throws {
        let console = Console()
        var options = try container.options()
        options.transferSession = "agent"
        reserve.set(&options)
        sandbox.set(&options, console: console)
        let (file, past) = (ProgramFile(ProgramPath.current), AgentNap.past())
        let socket = try ServiceManager.socket(Self.service)
        let agent = Agent(of: root, socket: socket, continuing: past) { [options] in options }
        let nap = AgentNap(root, launcher: options.launcher)
        let log = AgentLog(console: console, json: json, root: root, containerOption: container.again)
        let end = await Interruption.watch { cause in
            ServiceManager.tell("STOPPING=1", Self.service)
            if cause == .signal { console.say("ending after the delivery under way (Ctrl-C again to kill)") }
        } _: { [exitWhenIdle, restAfter] _ in
            var patience: Duration? = .seconds(restAfter ?? Self.restAfter)
            while true {
                let rest = try await log.during { [patience] report in
                    try await agent.run(
                        endsWhenIdle: exitWhenIdle, until: { file.isReplaced }, restingAfter: patience
                    ) { event in
                        if case .serves = event {
                            ServiceManager.tell("READY=1", Self.service)
                            // A nap is no news.
                            guard past == nil else { return }
                        }
                        if case .delivery(.needsPerson(let open)) = event {
                            DesktopNotice.begin(for: open, in: root)
                        }
                        report(event)
                    }
                }
                guard let rest, !agent.isStopped, !Task.isCancelled else { return }
                let isUpgrade = rest.watch == nil
                if isUpgrade { log.replaced(by: file.path) }
                do throws(Errno) {
                    // A file that is not whole can be executed, and the process would die of it.
                    if isUpgrade, await !starts(file.path) { throw .execFormatError }
                    try nap.begin(rest, socket, then: file.path)
                } catch {
                    guard isUpgrade else {
                        // Without the small program, the agent rests as it is.
                        patience = nil
                        continue
                    }
                    file.noteFailure()
                    log.replaced(by: file.path, failure: error)
                }
            }
        }
        do { try end.result.get() } catch let error as ChannelError {
            if case .alreadyServed = error.code { throw IngestionError(.notFound, error.message) }
            throw IngestionError(.container, error.message)
        } catch is CancellationError {
            // Its deliveries stay open. That is no failure.
        }
        try console.finishUnlessClosed()
    }
}

/// Whether a program can be run.
private func starts(_ program: FilePath) async -> Bool {
    let answer = try? await BlockingCall.run {
        DetachedProcess.succeeds(program, ["--version"], within: .seconds(10))
    }
    return answer ?? false
}

/// Talks to the agent of a container.
struct AgentClient {
    private let address: ChannelAddress

    /// How long an agent may take to answer.
    private static let patience = Duration.seconds(10)

    init(of container: FilePath) { address = Agent.address(of: container) }

    /// The status; `nil` if no agent runs.
    func status() async throws -> AgentStatus? {
        do { return try await ask(AgentStatusRequest()) } catch let error as ChannelError where error.code == .noServer
        {
            return nil
        }
    }

    /// The status; if the agent does not answer, that is said, and the result is `nil`.
    func statusIfItAnswers(_ console: Console) async throws -> AgentStatus? {
        do { return try await status() } catch let error as IngestionError {
            console.say("\("warning:", .warning) \(error.message)")
            return nil
        }
    }

    func give(_ order: AgentOrder.Order) async throws -> AgentStatus {
        do { return try await ask(AgentOrder(order)) } catch let error as ChannelError where error.code == .noServer {
            throw IngestionError(.notFound, "no agent runs for this container; 'sluice agent' starts one")
        }
    }

    /// Refuses a run that starts sinks only in a sandbox beside an agent that starts them without one, too. The agent might make the
    /// deliveries of the run.
    ///
    /// - Parameter again: see ``ContainerOption/again``.
    func checkSandbox(_ options: IngestOptions, again line: StyledLine) async throws {
        guard options.delivers, options.containment == .required, address.hasServer, let agent = try await status(),
            agent.uses?.sandbox != options.containment.rawValue
        else { return }
        let again = line.segments.reduce(into: "") { $0 += $1.text }
        throw IngestionError(
            .container,
            "the agent of this container, process \(agent.process), may start sinks without a sandbox; 'sluice agent stop\(again)' "
                + "ends it, and 'sluice agent --require-sandbox\(again)' starts a stricter one")
    }

    private func connect() throws -> ChannelConnection {
        do {
            return try address.connect()
        } catch {
            if error.code == .noServer { throw error }
            throw IngestionError(.container, "the agent cannot be asked: \(error.message)")
        }
    }

    private func ask<Request: ChannelRequest>(_ request: Request) async throws -> Request.Answer {
        let connection = try connect()
        do { return try await connection.request(request, within: Self.patience).answer } catch let error
            as ChannelError
        {
            guard error.code != .noServer else { throw error }
            throw IngestionError(
                .container, "the agent, process \(connection.peer.process), does not answer: \(error.message)")
        }
    }
}
