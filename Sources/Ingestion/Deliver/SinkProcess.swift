internal import Subprocess

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A sink's process and what it started, by the supervisor of them: see ``SinkLaunch``.
struct SinkProcess: Sendable {
    private let id: pid_t

    init(_ identifier: ProcessIdentifier) { id = identifier.value }

    /// Ends it: first politely, after a while not.
    func terminate(_ pipes: SinkPipes) {
        // It may have ended by itself meanwhile; so with every signal here.
        _ = systemKill(id, SIGTERM)
        if !pipes.waitForEnd(until: .now + SinkConversation.grace) { kill(pipes) }
    }

    /// Lets it end by itself, so that it is known what it died of; one that only closed its output is ended.
    func awaitDeath(_ pipes: SinkPipes) {
        if !pipes.waitForEnd(until: .now + SinkConversation.grace) { kill(pipes) }
    }

    /// Ends it at once, with all that it started; a supervisor that does not end by that is ended itself.
    func kill(_ pipes: SinkPipes) {
        _ = systemKill(id, SIGQUIT)
        // Somebody may have stopped it.
        _ = systemKill(id, SIGCONT)
        if !pipes.waitForEnd(until: .now + SinkConversation.grace) { _ = systemKill(-id, SIGKILL) }
    }

    /// How it ended, in words that follow "the sink".
    static func words(_ status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "ended with status \(code) before it answered"
        case .signaled(let number): "died of \(signalNames[number] ?? "signal \(number)")"
        }
    }

    private static let signalNames: [Int32: String] = [
        SIGILL: "an illegal instruction (SIGILL)", SIGABRT: "its own alarm (SIGABRT)", SIGBUS: "a bus error (SIGBUS)",
        SIGFPE: "an arithmetic fault (SIGFPE)", SIGKILL: "SIGKILL, sent by somebody or for want of memory",
        SIGSEGV: "a memory fault (SIGSEGV)", SIGTERM: "SIGTERM", SIGXCPU: "its limit of processor time (SIGXCPU)",
        SIGXFSZ: "its limit of file size (SIGXFSZ)",
    ]
}

private func systemKill(_ id: pid_t, _ signal: Int32) -> Int32 { kill(id, signal) }
