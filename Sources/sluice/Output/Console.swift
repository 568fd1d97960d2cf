import ShareModel
import SystemPackage

/// The two streams of a command: results go to standard output, messages for people to standard error.
struct Console: Sendable {
    var output = OutputStream.standardOutput
    var error = OutputStream.standardError
    var outputTerminal = Terminal.standardOutput
    var errorTerminal = Terminal.standardError

    /// Prints a result. On a terminal, a line that is too long is broken at spaces.
    func print(_ line: StyledLine, flushing: Bool = true) {
        for line in line.wrapped(to: outputTerminal.columns) {
            output.write(line: line.bytes(color: outputTerminal.color), flushing: flushing)
        }
        if let picture = line.picture { output.write(bytes: picture.overRowsAbove(column: line.width)[...]) }
    }

    func print(_ lines: [StyledLine]) {
        for line in lines { print(line, flushing: false) }
        output.flush()
    }

    func print(json value: some Encodable, flushing: Bool = true) throws {
        write(json: try JSONLines.encode(value), flushing: flushing)
    }

    func print(json receipt: Receipt) throws {
        // `json()` gives the same bytes as the encoder, several times as fast.
        write(json: Array(#"{"receipt":"#.utf8) + (try receipt.json()) + Array("}".utf8), flushing: true)
    }

    private func write(json line: [UInt8], flushing: Bool) {
        // In a pipe, the bytes are those of the container.
        output.write(line: isForPeople ? SafeText.escape(json: line) : line, flushing: flushing)
    }

    /// Prints a message on standard error. On a terminal, a line that is too long is broken at spaces.
    func say(_ line: StyledLine) {
        for line in line.wrapped(to: errorTerminal.columns) {
            error.write(line: line.rendered(color: errorTerminal.color).utf8)
        }
    }

    /// Prints a message in the place of a progress line, whose next change draws it again.
    func sayOverProgress(_ line: StyledLine) {
        if errorTerminal.redraws { error.write(raw: "\r\u{1B}[2K") }
        say(line)
    }

    /// Whether results go to a terminal.
    var isForPeople: Bool { outputTerminal.columns != nil }

    /// Whether a write to standard output failed, such as after its reader closed the pipe.
    var isOutputGone: Bool { output.failure != nil }

    /// Writes the rest of the buffer.
    ///
    /// - Throws: ``OutputLost`` if this write or an earlier one to standard output failed.
    func finish() throws {
        output.flush()
        if let failure = output.failure { throw OutputLost(errno: failure) }
    }

    /// Writes the rest of the buffer, for a command whose status says more than whether its output was read.
    ///
    /// - Throws: ``OutputLost`` if a write to standard output failed, unless the reader closed the pipe.
    func finishUnlessClosed() throws {
        do { try finish() } catch let lost as OutputLost where lost.isQuiet {}
    }
}

/// Standard output could not be written.
struct OutputLost: Error {
    let errno: Errno
    /// Whether the reader closed the pipe, as `head` does. That is no error of the command.
    var isQuiet: Bool { errno == .brokenPipe }
}
