/// The lines of a table of the shared MIME database, as bytes. A line that starts with `#` is a comment.
struct MIMELines {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A table of the program.
    init(_ text: StaticString) {
        bytes = Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Calls `body` with each line that is not empty or a comment, in order.
    func forEach(_ body: (ArraySlice<UInt8>) -> Void) {
        for line in Fields(bytes[...], UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") { body(line) }
    }

    /// Calls `body` with each word of a line except the last, together with the last: `alias type` in the file
    /// `aliases`, `type parent` in `subclasses`. A line of the program's own tables may have several such words.
    func forEachPair(_ body: (_ word: ArraySlice<UInt8>, _ last: ArraySlice<UInt8>) -> Void) {
        let space = UInt8(ascii: " ")
        forEach { line in
            guard let end = line.lastIndex(of: space), end + 1 < line.endIndex else { return }
            for word in Fields(line[..<end], space) { body(word, line[(end + 1)...]) }
        }
    }
}

/// The fields between separators, without empty ones.
struct Fields: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let separator: UInt8

    init(_ bytes: ArraySlice<UInt8>, _ separator: UInt8) {
        rest = bytes
        self.separator = separator
    }

    mutating func next() -> ArraySlice<UInt8>? {
        var start = rest.startIndex
        while start < rest.endIndex, rest[start] == separator { start += 1 }
        guard start < rest.endIndex else { return nil }
        var end = start
        while end < rest.endIndex, rest[end] != separator { end += 1 }
        defer { rest = rest[end...] }
        return rest[start..<end]
    }
}
