import ShareModel
import SystemPackage

/// The two streams of a command: results on standard output, words for people on standard error.
struct Console: Sendable {
    var output = OutputStream.standardOutput
    var error = OutputStream.standardError
    var outputTerminal = Terminal.standardOutput
    var errorTerminal = Terminal.standardError

    func print(_ line: StyledLine, flushing: Bool = true) {
        output.write(line: line.bytes(color: outputTerminal.color), flushing: flushing)
    }

    func print(_ lines: [StyledLine]) {
        for line in lines { print(line, flushing: false) }
        output.flush()
    }

    func print(json value: some Encodable, flushing: Bool = true) throws {
        output.write(line: try JSONLines.encode(value), flushing: flushing)
    }

    func print(json receipt: Receipt) throws {
        output.write(line: Array(#"{"receipt":"#.utf8) + (try receipt.json()) + Array("}".utf8), flushing: true)
    }

    /// Says something to the person on standard error.
    func say(_ line: StyledLine) { error.write(line: line.rendered(color: errorTerminal.color).utf8) }

    /// Whether nobody reads standard output any more.
    var isOutputGone: Bool { output.failure != nil }

    /// Sends what is left.
    ///
    /// - Throws: ``OutputLost`` where standard output could not be written, now or before.
    func finish() throws {
        output.flush()
        if let failure = output.failure { throw OutputLost(errno: failure) }
    }
}

/// Standard output could not be written.
struct OutputLost: Error {
    let errno: Errno
    /// Whether the reader just had enough, as `head` does.
    var isQuiet: Bool { errno == .brokenPipe }
}
