import Agent
import Files
import Glibc
import ShareModel
import SinkHost
import SystemPackage

/// Starts the agent of a container for the deliveries of a share. It ends when none is left that it can make.
enum AgentStart {
    /// The variable that forbids it, with the value `off`.
    static let variable = "SLUICE_AGENT"

    static var isAllowed: Bool { Environment.text(variable) != "off" }

    /// Starts an agent, unless the container has one or the user forbids it. The share is durable already, so a failure means
    /// only that its deliveries wait for the next command.
    ///
    /// - Parameter options: further options of `sluice agent`.
    static func begin(for container: FilePath, options: [String] = []) {
        guard isAllowed, !Agent.address(of: container).isServed else { return }
        // It is that of a service which shares, not of the agent.
        unsetenv("NOTIFY_SOCKET")
        let command = command(for: container) + options
        _ = try? DetachedProcess.start(FilePath(command[0]), Array(command.dropFirst()))
    }

    /// The program that makes what is left to do for a container, and its arguments; empty if the user forbids it.
    static func command(for container: FilePath) -> [String] {
        guard isAllowed else { return [] }
        return [
            ProgramPath.current.absolute.string, "agent", "--exit-when-idle", "--container", container.absolute.string,
        ]
    }
}
