import Accounts
import ArgumentParser
import Files
import Glibc
import Ingestion
import ShareModel
import SinkHost
import SystemPackage

/// `sluice account notify`: the agent's notification on the desktop, with a button that logs in.
struct AccountNotify: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Show a notification that shares wait for a login.", shouldDisplay: false)

    @Argument(help: "The account.", transform: AccountArgument.parse)
    var name: AccountArgument

    @OptionGroup var container: ContainerOption
    var saysWhatNeedsALogin: Bool { false }

    /// What was shown already: one notification tells of all waiting shares, until someone logs in or out.
    private struct Shown: Codable, Equatable {
        var marker: AccountMarker?
    }

    func run() async throws {
        let desk = try await AccountDesk(container, makesContainer: false)
        let (name, folder) = (name.name, PrivateFolder(FilePath(desk.book.places.locks)))
        let file = "notice-\(name)"
        guard let lock = try KernelLock(trying: folder.path.appending("\(file).lock"), .exclusive)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        let now = Shown(marker: desk.book.marker(of: name))
        let before = try? folder.read(file, limit: 1 << 16).map { try JSONLines.decode(Shown.self, from: $0) }
        guard before != now else { return }
        let count = try await desk.open(name).filter { $0.needs == .login }.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        let text = "\(Units.count(count, "delivery")) \(count == 1 ? "waits" : "wait") for it. Nothing is lost."
        guard let isPressed = try await isPressed(desk, "Log in to \(name)", text, "Log in") else { return }
        try folder.replace(file, with: JSONLines.encode(now))
        guard isPressed else { return }
        guard try desk.definition(of: name).kind == .oauth else { return openTerminal() }
        try await AccountLogin.logIn(name, by: desk, user: nil, json: true, again: container.again, on: Console()) {
            code in
            openBrowser(code.completeURL ?? code.url)
            guard code.completeURL == nil else { return }
            start("notify-send", ["--app-name=Sluice", "The code is \(code.code)", "Enter it at \(code.url)"])
        }
    }

    /// Shows a notification, and waits for its button.
    ///
    /// - Returns: whether the button was pressed; `nil` if nothing shows notifications.
    private func isPressed(_ desk: AccountDesk, _ title: String, _ text: String, _ button: String) async throws -> Bool?
    {
        let request = AccountRequest(.notify(title: title, text: text, button: button), in: desk.book.places)
        return switch try await desk.book.program.ask(request) {
        case .done: true
        case .unavailable: nil
        default: false
        }
    }

    private func openBrowser(_ url: String) {
        // The address is the service's, and a browser is the place for it; other schemes start other programs.
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return }
        start("xdg-open", [url])
    }

    private func openTerminal() {
        start(
            "x-terminal-emulator",
            [
                "-e", ProgramPath.current.string, "account", "login", name.name.description, "--container",
                container.directory?.path.string ?? "",
            ])
    }

    private func start(_ program: String, _ arguments: [String]) {
        let folders = (Environment.text("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let places = folders.map { FilePath(String($0)).appending(program) }
        guard let found = places.first(where: { access($0.string, X_OK) == 0 }) else { return }
        _ = try? DetachedProcess.start(found, arguments)
    }
}
