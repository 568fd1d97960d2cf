import Accounts
import ArgumentParser
import ShareModel

/// `sluice account remove`: remove an account, or the logins whose container is gone.
struct AccountRemove: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account with its login, or the logins whose container is gone.",
        discussion: """
            What is open for the account stays open, until an account of this name is there again or the settings of its sink change.

            Exit status: 0 removed; 1 there is no such account, or the keychain cannot be used; 64 usage.
            """)

    @Argument(help: "The account.", transform: AccountArgument.parse)
    var name: AccountArgument?

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    @Flag(help: "Remove the logins whose container is gone, or has another login, instead.")
    var gone = false

    func validate() throws {
        if gone == (name != nil) { throw ValidationError("name an account, or give --gone.") }
    }

    func run() async throws {
        let console = Console()
        let desk = try await AccountDesk(container, makesContainer: false)
        if let name = name?.name {
            guard try desk.folderNames().contains(name) else { throw try desk.unknown(name) }
            _ = try await desk.ask(.remove(name))
            console.print("removed \(name: name.description)")
            try console.finish()
        } else if case .logins(let removed, let problem) = try await desk.ask(.removeGone) {
            console.print("removed \(Units.count(removed.count, "login"))")
            try console.finish()
            if let problem { throw AccountError(.keychain, "some logins may be left: \(problem)") }
        }
    }
}
