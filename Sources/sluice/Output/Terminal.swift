import Glibc

/// The abilities of the terminal behind a stream, if there is one.
struct Terminal: Sendable, Equatable {
    /// Whether the stream is a terminal that can redraw a line.
    var redraws: Bool
    var color: Bool

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) {
        self.init(
            isTerminal: isatty(descriptor) == 1, kind: Environment.text("TERM"),
            // `Environment` treats an empty variable as not set, as no-color.org demands.
            noColor: Environment.text("NO_COLOR") != nil)
    }

    /// Follows https://no-color.org: no color if `NO_COLOR` is set to anything.
    init(isTerminal: Bool, kind: String?, noColor: Bool) {
        redraws = isTerminal && kind != nil && kind != "dumb"
        color = redraws && !noColor
    }

    /// The current columns of standard error's terminal; 80 if it does not report them.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
