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

    @Argument(help: "The account.")
    var name: AccountArgument

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    func run() async throws {
        let console = Console()
        let desk = try await AccountDesk(container, makesContainer: true)
        _ = try await desk.ask(.logout(name.name))
        let waiting = try await desk.open(name.name).reduce(0) { $0 + $1.count }
        var line: StyledLine = "logged out of \(name: name.name.description)"
        if waiting > 0 {
            line += "; \(Units.count(waiting, "delivery")) \(waiting == 1 ? "waits" : "wait") for the next login"
        }
        console.print(line)
        try console.finish()
    }
}
