import Glibc

/// What can be shown on a stream: whether a person watches it, in color, and how wide it is.
struct Terminal: Sendable, Equatable {
    /// Whether the stream is a terminal that can redraw a line.
    var redraws: Bool
    var color: Bool

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) {
        self.init(
            isTerminal: isatty(descriptor) == 1, kind: Environment.text("TERM"),
            noColor: Environment.text("NO_COLOR") != nil)
    }

    /// Color as https://no-color.org says: never where `NO_COLOR` is set to anything.
    init(isTerminal: Bool, kind: String?, noColor: Bool) {
        redraws = isTerminal && kind != nil && kind != "dumb"
        color = redraws && !noColor
    }

    /// The columns of standard error's terminal now; 80 where it does not say.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
