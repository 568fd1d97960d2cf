import Glibc

/// Standard input in a run that does not read it, because a text is the input.
enum UnreadInput {
    /// The note about bytes that wait in a pipe; `nil` if there are none. They stay there.
    ///
    /// A file says nothing: `while read x; do sluice ingest --text "$x"; done < list` leaves the rest of it on purpose.
    static var note: StyledLine? {
        var status = stat()
        var count: Int32 = 0
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
            ioctl(STDIN_FILENO, UInt(FIONREAD), &count) == 0, count > 0
        else { return nil }
        return "\("note:", .warning) standard input was not read, because --text is the input; add '-' to take in both"
    }
}
