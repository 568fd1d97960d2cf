import Agent
import Files
import FoundationEssentials
import Glibc
import ShareModel
import SinkHost
import SystemPackage

/// The next program of an agent's process: `sluice-launch wait` until there is work again, or a newer `sluice`.
struct AgentNap {
    /// The variable by which an agent knows what it was; see `AgentPast`.
    private static let variable = "SLUICE_AGENT_PAST"

    private let root: FilePath
    private let launcher: FilePath?

    init(_ root: FilePath, launcher named: FilePath?) {
        self.root = root
        launcher = try? SinkConfiner.launcher(named, beside: ProgramPath.current)
    }

    /// What this process was before its last rest; `nil` if it did not rest.
    static func past() -> AgentPast? {
        guard let text = Environment.text(variable) else { return nil }
        // The programs that this one starts have other descriptors.
        unsetenv(variable)
        guard let past = try? JSONDecoder().decode(AgentPast.self, from: Data(text.utf8)), past.process == getpid()
        else {
            return nil
        }
        for number in [past.socket, past.lock] { ProcessImage.adopt(FileDescriptor(rawValue: number)) }
        return past
    }

    /// Continues as the program that waits, and then as `program` with the arguments of this process; without a watch at once.
    ///
    /// - Parameter inherited: the socket that another process made for the agent.
    /// - Throws: `Errno` if that is not possible. Nothing has changed then.
    func begin(_ rest: AgentRest, _ inherited: FileDescriptor?, then program: FilePath) throws(Errno) {
        guard let past = try? JSONLines.encode(rest.past) else { throw .invalidArgument }
        setenv(Self.variable, String(decoding: past, as: UTF8.self), 1)
        defer { unsetenv(Self.variable) }
        let (socket, lock) = (FileDescriptor(rawValue: rest.past.socket), FileDescriptor(rawValue: rest.past.lock))
        // Its maker removes the name of an inherited socket.
        let name = inherited == nil ? Agent.address(of: root).path.string : ""
        let arguments = Array(CommandLine.arguments.dropFirst())
        let kept = [socket, lock] + (inherited.map { [$0] } ?? [])
        guard let watch = rest.watch?.descriptor else {
            try ProcessImage.become(program, arguments, keeping: kept)
        }
        guard let launcher else { throw .noSuchFileOrDirectory }
        try ProcessImage.become(
            launcher,
            ["wait", "\(socket.rawValue)", "\(watch.rawValue)", "\(rest.until ?? 0)", name, program.string]
                + arguments, keeping: kept + [watch])
    }
}
