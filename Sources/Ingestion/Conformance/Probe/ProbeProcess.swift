internal import Dispatch
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A started supervisor of a sink (see ``SinkLaunch``) with the host's ends of its pipes, which never block.
///
/// It stays in the system's table until ``reap()``, so that a signal can never reach another process.
final class ProbeProcess {
    let identifier: pid_t
    let input: FileDescriptor
    private var isInputOpen = true
    let output: FileDescriptor
    let errors: FileDescriptor
    /// Can be read to its end once the process has ended.
    let end: FileDescriptor

    /// - Parameter folder: where the pipes are made; they have no names once the program runs.
    init(_ launch: SinkLaunch, pipes folder: FilePath) throws {
        let pipes = try (0..<4).map { try ProbePipe(at: folder.appending("pipe-\($0)")) }
        (input, output, errors, end) = (pipes[0].writing, pipes[1].reading, pipes[2].reading, pipes[3].reading)
        let ends = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
        do {
            try ProbePipe.makeBlocking(ends)
            identifier = try Spawn.run(
                [launch.executable.string] + launch.arguments, launch.environment.map { "\($0)=\($1)" },
                standard: ends.map(\.rawValue))
        } catch {
            for pipe in pipes { pipe.close() }
            throw error
        }
        for descriptor in ends { try? descriptor.close() }
        Self.watch(identifier, closing: pipes[3].writing)
    }

    /// Ends the program's input.
    func closeInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        try? input.close()
    }

    /// Signals the supervisor, which passes SIGTERM on and ends everything by SIGQUIT.
    func signal(_ number: Int32) { kill(identifier, number) }

    /// Ends a supervisor that does not end by itself.
    func endSupervisor() { kill(-identifier, SIGKILL) }

    /// Takes the ended process off the system's table; it must have been told to end, or have ended.
    func reap() -> ProbeEnding {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        closeInput()
        for descriptor in [output, errors, end] { try? descriptor.close() }
        let signal = status & 0x7F
        return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }

    /// Waits for the end on a thread of its own, without reaping.
    private static func watch(_ identifier: pid_t, closing end: FileDescriptor) {
        DispatchQueue(label: "sluice.probe").async {
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            try? end.close()
        }
    }
}

/// How a process ended.
enum ProbeEnding: Equatable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    var description: String {
        switch self {
        case .status(let code): "it ended with status \(code)"
        case .signal(let number): "it died of signal \(number)"
        }
    }
}
