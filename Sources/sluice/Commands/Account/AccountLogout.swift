import Accounts
import ArgumentParser
import ShareModel

/// `sluice account logout`: forget a login.
struct AccountLogout: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Log out of an account. What is open for it waits for the next login.",
        discussion: """
            The login is removed from the keychain. The service may keep it valid; end it there too if the device was lost.

            Exit status: 0 logged out, also if no one was logged in; 1 not; 2 the container cannot be used.
            """)

    @Argument(help: "The account.", transform: AccountArgument.parse)
    var name: AccountArgument

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    func run() async throws {
        let console = Console()
        let desk = try await AccountDesk(container, makesContainer: true)
        let isKnown = try desk.book.marker(of: name.name) != nil || desk.folderNames().contains(name.name)
        guard isKnown else { throw try desk.unknown(name.name) }
        guard case .loggedOut(let user) = try await desk.ask(.logout(name.name)) else { return }
        let waiting = try await desk.open(name.name).reduce(0) { $0 + $1.count }
        guard let user else {
            console.print("no one was logged in to \(name: name.name.description)")
            return try console.finish()
        }
        var line: StyledLine = "logged \(name: user) out of \(name: name.name.description)"
        if waiting > 0 {
            line += "; \(Units.count(waiting, "delivery")) \(waiting == 1 ? "waits" : "wait") for the next login"
        }
        console.print(line)
        try console.finish()
    }
}
