internal import Files
package import SystemPackage

/// The addresses of a run's inputs, in their order: given as a list, or one on each line of a file.
package struct AddressList {
    private var given: ArraySlice<InputAddress>
    private var lines: LineReader?
    /// The first address of a list, if it was read to see whether there is one.
    private var first: Result<InputAddress, ReadingError>?
    /// The path of the list; `-` for standard input, and for addresses that are not from a list.
    let name: FilePath

    private var text: String { name == "-" ? PipeBeginning.name : name.string }

    package init(_ addresses: [InputAddress]) {
        given = addresses[...]
        name = "-"
    }

    /// Reads lines while the run goes on, so that a list may be of any length.
    ///
    /// - Parameters:
    ///   - list: open until the last address is read. The caller closes it.
    ///   - name: the path of the list, for errors.
    package init(reading list: FileDescriptor, named name: FilePath, separator: UInt8) {
        given = []
        lines = LineReader(list, separator: separator)
        self.name = name
    }

    /// Whether no address follows. Waits for the first line. What cannot be read is no end: ``next()`` throws it.
    package mutating func isAtEnd() -> Bool {
        guard first == nil else { return false }
        do throws(ReadingError) {
            guard let address = try next() else { return true }
            first = .success(address)
        } catch {
            first = .failure(error)
        }
        return false
    }

    /// The next address; `nil` at the end. Empty lines are skipped.
    ///
    /// - Throws: for a line that is no path, and if the list cannot be read. The latter ends the list.
    package mutating func next() throws(ReadingError) -> InputAddress? {
        if let first = first.take() { return try first.get() }
        if let address = given.popFirst() { return address }
        while let line = try nextLine() {
            guard !line.bytes.isEmpty || line.isTooLong else { continue }
            return try address(of: line)
        }
        return nil
    }

    private mutating func nextLine() throws(ReadingError) -> LineReader.Line? {
        do {
            return try lines?.next()
        } catch {
            lines = nil
            throw ReadingError(.unreadable, "\(text) cannot be read: \(error)")
        }
    }

    private func address(of line: LineReader.Line) throws(ReadingError) -> InputAddress {
        let number = lines?.number ?? 0
        guard !line.isTooLong else {
            throw ReadingError(.limit, "\(text): line \(number) is longer than \(LineReader.limit) bytes")
        }
        // A path ends at its first zero byte, so it would name another file than the line.
        guard !line.bytes.contains(0) else {
            throw ReadingError(.malformed, "\(text): line \(number) contains a NUL", remedy: .separateByNull)
        }
        return InputAddress(bytes: line.bytes)
    }
}
