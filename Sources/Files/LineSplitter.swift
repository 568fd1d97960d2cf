/// Splits bytes that come in pieces into lines. A line has a limit, and the rest of a longer one is dropped, so bytes
/// without a separator cannot fill the memory.
///
/// The caller takes lines until there is none, and then appends more bytes or ends.
package struct LineSplitter {
    package struct Line: Equatable {
        /// Without the separator. Of a line that is too long, the first bytes: one more than the limit.
        package var bytes: [UInt8]
        package var isTooLong = false

        package init(bytes: [UInt8]) { self.bytes = bytes }
    }

    /// The number of the line taken last, counted from 1.
    package private(set) var number = 0
    private let separator: UInt8
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The place in the buffer behind the line taken last.
    private var place = 0
    /// The beginning of a line whose rest is still to come.
    private var beginning: Line?

    /// - Parameters:
    ///   - limit: the most bytes of a line.
    ///   - separator: the byte that ends a line.
    package init(limit: Int, separator: UInt8 = UInt8(ascii: "\n")) {
        (self.limit, self.separator) = (limit, separator)
    }

    /// Whether a whole line is there.
    package var hasNext: Bool { buffer[place...].contains(separator) }

    /// Whether a line has begun that is not whole. Ask when ``next()`` has returned `nil`.
    package var hasBegun: Bool { beginning != nil }

    /// Adds the bytes of one reading. When ``next()`` has returned `nil`, no bytes but these are in the buffer.
    package mutating func append(_ bytes: [UInt8]) {
        buffer.removeFirst(place)
        buffer += bytes
        place = 0
    }

    /// The next whole line; `nil` if its separator is not there yet.
    package mutating func next() -> Line? {
        guard place < buffer.count else { return nil }
        let rest = buffer[place...]
        let end = rest.firstIndex(of: separator)
        begin(rest[..<(end ?? rest.endIndex)])
        place = end.map { $0 + 1 } ?? buffer.count
        return end == nil ? nil : finish()
    }

    /// The line that has begun, which needs no separator at the end of the bytes; `nil` if there is none.
    package mutating func finish() -> Line? {
        guard let line = beginning.take() else { return nil }
        number += 1
        return line
    }

    private mutating func begin(_ piece: ArraySlice<UInt8>) {
        var line = beginning.take() ?? Line(bytes: [])
        line.isTooLong = line.isTooLong || piece.count > limit - line.bytes.count
        line.bytes += piece.prefix(max(0, limit + 1 - line.bytes.count))
        beginning = line
    }
}
