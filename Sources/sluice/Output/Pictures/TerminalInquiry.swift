import Glibc
import SystemPackage

/// Asks a terminal, and reads its answers.
///
/// Meanwhile the terminal gives each byte at once and echoes none. Then its modes are restored: SIGINT and SIGTERM only cancel
/// the task; see ``Interruption``. Keys that a person types within this moment are lost. Keys that were typed before are not:
/// then nothing is asked.
struct TerminalInquiry {
    /// The time for all answers. Only a terminal that does not answer takes it up.
    var patience = Duration.seconds(1)
    /// The most bytes that are read. The answers have less than a hundredth of them.
    var limit = 8_192

    /// The time after which the inquiry looks for a cancellation.
    private static let look = Duration.milliseconds(50)

    /// - Parameter terminal: for reading and writing.
    /// - Returns: the answers so far, if the terminal does not answer everything in time or within the limit.
    /// - Throws: `CancellationError`; `Errno` if the terminal cannot be used.
    func ask(_ terminal: FileDescriptor) throws -> TerminalAnswers {
        var modes = termios()
        guard tcgetattr(terminal.rawValue, &modes) == 0 else { throw Errno(rawValue: errno) }
        var quiet = modes
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &quiet.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
        // At once, and not after a flush, which would drop what was typed before.
        guard tcsetattr(terminal.rawValue, TCSANOW, &quiet) == 0 else { throw Errno(rawValue: errno) }
        if isReadable(terminal, within: .zero) {
            tcsetattr(terminal.rawValue, TCSANOW, &modes)
            return TerminalAnswers()
        }
        // With a flush, so that no part of an answer that was not read is taken for keys.
        defer { tcsetattr(terminal.rawValue, TCSAFLUSH, &modes) }
        try terminal.writeAll(TerminalAnswers.question.utf8)
        return try read(terminal)
    }

    private func read(_ terminal: FileDescriptor) throws -> TerminalAnswers {
        let deadline = ContinuousClock.now + patience
        var bytes: [UInt8] = []
        var answers = TerminalAnswers()
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while !answers.isComplete, bytes.count < limit {
            let left = deadline - .now
            guard left > .zero else { break }
            try Task.checkCancellation()
            guard isReadable(terminal, within: min(left, Self.look)) else { continue }
            let count = try buffer.withUnsafeMutableBytes { try terminal.read(into: $0) }
            if count == 0 { break }
            bytes += buffer[..<min(count, limit - bytes.count)]
            answers = TerminalAnswers(bytes)
        }
        return answers
    }

    private func isReadable(_ terminal: FileDescriptor, within time: Duration) -> Bool {
        var request = pollfd(fd: terminal.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32((time / .milliseconds(1)).rounded(.up))) > 0
    }
}
