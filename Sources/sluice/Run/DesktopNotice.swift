import Files
import Glibc
import ShareModel
import SinkHost
import SystemPackage

/// Tells a person at a desktop that shares wait for a login.
enum DesktopNotice {
    /// Starts a process that shows a notification, if there may be a desktop. It outlives the agent.
    static func begin(for open: OpenDeliveries, in container: FilePath) {
        guard open.needs == .login, let account = open.account, hasBus else { return }
        _ = try? DetachedProcess.start(
            ProgramPath.current,
            ["account", "notify", account.description, "--container", container.absolute.string])
    }

    private static var hasBus: Bool {
        if Environment.text("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        guard let folder = Environment.path("XDG_RUNTIME_DIR") else { return false }
        return access(folder.appending("bus").string, F_OK) == 0
    }
}
