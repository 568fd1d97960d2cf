import Glibc

/// The abilities of the terminal behind a stream, if there is one.
struct Terminal: Sendable, Equatable {
    /// Whether the stream is a terminal that can redraw a line.
    var redraws: Bool
    var color: Bool
    /// Whether the stream is a terminal that may be asked whether it shows pictures. A picture is color too.
    var mayShowPictures: Bool
    /// The width for lines; `nil` if the stream is no terminal, where no line is broken or cut.
    var columns: Int?

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    private init(descriptor: Int32) {
        self.init(
            isTerminal: isatty(descriptor) == 1, kind: Environment.text("TERM"),
            // `Environment` treats an empty variable as not set, as no-color.org demands.
            noColor: Environment.text("NO_COLOR") != nil, columns: Self.columns(of: descriptor))
    }

    /// Follows https://no-color.org: no color if `NO_COLOR` is set to anything.
    ///
    /// - Parameter columns: the width of the terminal.
    init(isTerminal: Bool, kind: String?, noColor: Bool, columns: Int = 80) {
        redraws = isTerminal && kind != nil && kind != "dumb"
        color = redraws && !noColor
        mayShowPictures = color && !Self.pictureless.contains { kind?.hasPrefix($0) ?? false }
        self.columns = isTerminal ? columns : nil
    }

    /// The beginnings of the names of terminals that are not asked: screen and tmux keep text alone, and would not move a
    /// picture along with it; Linux' own console may print the question.
    private static let pictureless = ["screen", "tmux", "linux"]

    /// The present columns of standard error's terminal, which a person may change during a run.
    static var errorColumns: Int { columns(of: STDERR_FILENO) }

    /// The columns of a terminal; 80 if it does not report them.
    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
