import Accounts
import ArgumentParser
import Ingestion
import ShareModel

/// `sluice account login`: log in, so that what waits for the account goes out.
struct AccountLogin: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to an account.",
        discussion: """
            For the kinds token and password, you are asked for the secret, which is not shown; without a terminal, it is the first line of \
            standard input. For the kind oauth, you open a page with any browser and enter a code. Deliveries that waited for the \
            login go out at once, in the order in which they came in. Those that came in for another person stay.

              pass show notes | sluice account login notes

            Exit status: 0 logged in; 1 not; 2 the container cannot be used; 64 usage.
            """)

    @Argument(help: "The account.", transform: AccountArgument.parse)
    var name: AccountArgument

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    @Option(help: ArgumentHelp("Your name at the service, if the service itself does not say it.", valueName: "name"))
    var user: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private struct Login: Encodable {
        var account: AccountName
        var user: String
        /// The person who was logged in before, if it was another one.
        var before: String?
        var keychain: KeychainKind
        /// The deliveries that go out now.
        var deliveries: Int
    }

    func run() async throws {
        let console = Console()
        let desk = try await AccountDesk(container, makesContainer: true)
        try await Self.logIn(name.name, by: desk, user: user, json: json, again: container.again, on: console)
        try console.finish()
    }

    /// Logs a person in.
    ///
    /// - Parameter show: gets the code for a browser, besides the terminal.
    static func logIn(
        _ name: AccountName, by desk: AccountDesk, user: String?, json: Bool, again: StyledLine, on console: Console,
        showing show: @escaping @Sendable (DeviceCode) -> Void = { _ in }
    ) async throws {
        let definition = try desk.definition(of: name)
        let given = try await given(name, definition, user)
        let answer = try await desk.ask(.login(name, given: given)) { code in
            if json { _ = try? console.print(json: ["code": code]) } else { Self.lines(code).forEach(console.say) }
            show(code)
        }
        guard case .loggedIn(let user, let before, let keychain) = answer else {
            throw AccountError(.program, "the program that keeps logins gave another answer", remedy: .installAgain)
        }
        let open = try await desk.open(name)
        let ready = open.filter { $0.needs == nil }.reduce(0) { $0 + $1.count }
        if json {
            let login = Login(account: name, user: user, before: before, keychain: keychain, deliveries: ready)
            try console.print(json: ["login": login])
        } else {
            var line: StyledLine =
                definition.who == nil && definition.kind != .oauth
                ? "kept the \(word(definition)) of \(name: name.description) for \(name: user); the service was not asked"
                : "logged in to \(name: name.description) as \(name: user)"
            if let before { line += " (before: \(name: before))" }
            if keychain == .file { line += ", in a file that only you can read" }
            if ready > 0 {
                let what: StyledLine = "\(Units.count(ready, "delivery")) \(ready == 1 ? "goes" : "go") out"
                line +=
                    "; " + what
                    + (AgentStart.isAllowed ? " now" : " with \(command: "sluice deliver\(again)")")
            }
            console.print(line)
            console.output.flush()
        }
        for other in open where other.needs == .decision { console.say(NeedText(open: other, again: again).line) }
        if ready > 0 { AgentStart.begin(for: desk.container) }
    }

    private static func lines(_ code: DeviceCode) -> [StyledLine] {
        var lines: [StyledLine] = [
            "to log in, open \(name: code.url) with a browser on any device, and enter the code \(name: code.code)"
        ]
        if let url = code.completeURL { lines.append("or open \(name: url), which contains the code") }
        return lines + ["waiting for you, for \(Units.duration(.seconds(code.seconds))) (Ctrl-C gives up)"]
    }

    private static func word(_ definition: AccountDefinition) -> String {
        switch definition.kind {
        case .password: "password"
        case .s3: "secret key"
        case .token, .oauth: "token"
        }
    }

    private static func given(_ name: AccountName, _ definition: AccountDefinition, _ user: String?) async throws
        -> GivenLogin?
    {
        var user = user
        let needsUser = definition.kind.hasUser || definition.who == nil
        if needsUser, user == nil {
            guard Terminal.inputIsTerminal else {
                throw ValidationError("\(name) cannot tell who you are; add --user NAME, your name at the service.")
            }
            user = try SecretPrompt.line(
                definition.kind == .s3 ? "access key ID at \(name): " : "your name at the service of \(name): ")
        }
        guard definition.kind != .oauth else { return user.map { GivenLogin(secret: "", user: $0) } }
        let secret =
            Terminal.inputIsTerminal
            ? try SecretPrompt.secret("\(word(definition)) for \(name) (not shown): ")
            : try SecretPrompt.standardInput()
        return GivenLogin(secret: secret, user: user)
    }
}
