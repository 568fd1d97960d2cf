import Accounts
import Dispatch
import Files
import Glibc
import SystemPackage

/// Asks a person at the terminal. A secret is not shown.
enum SecretPrompt {
    /// A line that is shown.
    static func line(_ prompt: String) throws -> String {
        write(prompt)
        return try read(from: .standardInput)
    }

    /// A line that is not shown.
    static func secret(_ prompt: String) throws -> String {
        ProcessMemory.hide()
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try line(prompt) }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        // Ctrl-C ends the program, and must not leave a terminal that shows nothing.
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { [shown] in
            var shown = shown
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            write("\n")
            exit(ExitStatus.interrupted.rawValue)
        }
        interrupt.activate()
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            interrupt.cancel()
            signal(SIGINT, SIG_DFL)
        }
        write(prompt)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        return try read(from: .standardInput)
    }

    /// The first line of standard input, which is no terminal.
    static func standardInput() throws -> String {
        ProcessMemory.hide()
        return try read(from: .standardInput)
    }

    private static func read(from input: FileDescriptor) throws -> String {
        var lines = LineReader(input)
        guard let line = try lines.next(), !line.isTooLong else {
            throw AccountError(.login, "nothing was given; the login needs a line")
        }
        let text = String(decoding: line.bytes, as: UTF8.self)
        return text.hasSuffix("\r") ? String(text.dropLast()) : text
    }

    private static func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
}
