import Accounts
import ArgumentParser
import ShareModel

/// `sluice account list`: the accounts, and who is logged in.
struct AccountList: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts, and who is logged in to this container.",
        discussion: """
            A login whose container is gone is listed too; 'sluice account remove --gone' removes such logins.

            Exit status: 0, even if an account needs a login; the list says so. 1 the keychain cannot be read.
            """)

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private struct Entry: Encodable {
        var name: AccountName
        /// Absent if its file cannot be used.
        var kind: AccountDefinition.Kind?
        /// Whose container this is, as far as this account says.
        var user: String?
        var isLoggedIn: Bool
        var keychain: KeychainKind?
        /// Why there is no login, or why its file cannot be used.
        var why: String?

        enum CodingKeys: String, CodingKey {
            case name, kind, user, keychain, why
            case isLoggedIn = "logged_in"
        }
    }

    func run() async throws {
        let console = Console()
        let desk = try await AccountDesk(container, makesContainer: false)
        let folder = try AccountDesk.definitions()
        guard case .logins(let stored, let problem) = try await desk.ask(.list) else { return }
        let entries = try AccountDefinition.names(in: folder).map { name in
            let marker = desk.book.marker(of: name)
            // A keychain that cannot be read may have the login.
            let isMissing =
                problem == nil && marker?.login != nil && !stored.contains { $0.login == marker?.login }
            var entry = Entry(
                name: name, user: marker?.user, isLoggedIn: marker?.login != nil && !isMissing,
                keychain: marker?.keychain,
                why: isMissing ? "the keychain does not have the login, or is not there" : marker?.why)
            do { entry.kind = try AccountDefinition.read(name, in: folder)?.kind } catch { entry.why = "\(error)" }
            return entry
        }
        let gone = stored.filter(\.isGone)
        let nameless = stored.filter { login in
            !login.isGone && !entries.contains { $0.name.description == login.account }
        }
        if json {
            for entry in entries { try console.print(json: ["account": entry], flushing: false) }
            for login in stored { try console.print(json: ["login": login], flushing: false) }
        } else {
            console.print(entries.map(line))
            console.print((gone + nameless).map(line))
            if !gone.isEmpty {
                console.say("\(command: "sluice account remove --gone") removes the logins whose container is gone")
            }
            if entries.isEmpty {
                console.say("there is no account; \(command: "sluice account add --help") says how to add one")
            }
        }
        try console.finish()
        if let problem { throw AccountError(.keychain, "some logins may be missing: \(problem)") }
    }

    private func line(_ entry: Entry) -> StyledLine {
        let name: StyledLine = "\(name: entry.name.description)"
        let head: StyledLine = "\(name.padded(to: 12))  \((entry.kind?.rawValue ?? "?").padding(8))  "
        guard entry.kind != nil else {
            return head + "\("!", .warning) \(WhyText.line(entry.why ?? "", container.again))"
        }
        let place = entry.keychain == .secretService ? "in the desktop's keychain" : "in a file"
        if entry.isLoggedIn { return head + "\(name: entry.user ?? "")  \("logged in, \(place)", .dim)" }
        let login: StyledLine = "\(command: "sluice account login \(entry.name.description)\(container.again)")"
        guard let user = entry.user else { return head + "no one has logged in: " + login }
        return head + "\(name: user)  \("!", .warning) \(entry.why ?? "logged out"): " + login
    }

    private func line(_ login: StoredLogin) -> StyledLine {
        let line: StyledLine = "\("!", .warning) a login of \(name: login.account) for \(name: login.container)"
        return line + (login.isGone ? ", which is gone or has another one" : ", and no account of this name is here")
    }
}

extension String {
    /// With blanks behind it, up to a width.
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
