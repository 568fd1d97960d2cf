internal import Files
internal import Formats
internal import ShareModel

/// The descriptions on a pipe: one JSON text over any number of lines, or a description on each line.
///
/// If the first line is a whole JSON text, each line is a description, and a broken one fails alone. Otherwise, the first
/// later line that is a description by itself decides the same. If there is none, all lines are one description.
///
/// Lines before the deciding one that are longer together than the limit fail as one. The text beyond the limit is
/// dropped, so at most two descriptions are in memory.
package struct DescriptionLines {
    package struct Description: Equatable {
        package var bytes: [UInt8]
        /// The line, counted from 1; `nil` if the pipe has one description over several lines.
        package var line: Int?
    }

    private let stream: any ByteStream
    private let limit: Int
    private let isReady: () -> Bool
    private var lines: LineSplitter
    private var isList = false
    /// The lines before the one that decided, from the first one with a text on.
    private var early: LineSplitter?
    /// The line that decided, a description by itself. It comes behind ``early``.
    private var behind: Description?
    /// The number of the line before ``early``.
    private var blankLines = 0
    private var isStreamAtEnd = false

    /// - Parameters:
    ///   - limit: the most bytes of a description.
    ///   - isReady: whether a reading of the stream would not wait.
    package init(_ stream: any ByteStream, limit: Int, isReady: @escaping () -> Bool = { true }) {
        (self.stream, self.limit, self.isReady) = (stream, limit, isReady)
        lines = LineSplitter(limit: limit)
    }

    /// Whether no description follows.
    package var isAtEnd: Bool { isStreamAtEnd && early == nil && behind == nil }

    /// The next description; `nil` at the end. Of one that is longer than the limit, it has the first bytes and one
    /// more than the limit, so that the parser refuses it.
    ///
    /// - Parameter waiting: whether to wait for a line that is not whole yet. Otherwise the result is `nil`, also before
    ///   the end. The first description is waited for in any case.
    package mutating func next(waiting: Bool = true) throws(ReadingError) -> Description? {
        if let description = nextEarly() { return description }
        while var line = try nextLine(waiting: waiting || !isList) {
            if lines.number == 1 { line.removeMark() }
            guard !line.isBlank else { continue }
            isList = isList || line.isJSON
            guard isList else { return try first(line) }
            return Description(bytes: line.bytes, line: lines.number)
        }
        return nil
    }

    /// The first description, whose first line is broken, or has only its beginning.
    private mutating func first(_ line: LineSplitter.Line) throws(ReadingError) -> Description? {
        blankLines = lines.number - 1
        var bytes = line.bytes
        while let next = try nextLine(waiting: true, keepsCutLine: true) {
            guard !next.isDescription else { return begin(with: bytes, before: next) }
            // A text that is too long fails in any case, so its rest is not kept.
            guard bytes.count <= limit else { continue }
            bytes.append(UInt8(ascii: "\n"))
            bytes += next.bytes.prefix(limit + 1 - bytes.count)
        }
        // Empty lines before it count, because errors name lines.
        let blank = Array(repeating: UInt8(ascii: "\n"), count: min(blankLines, limit))
        return Description(bytes: Array((blank + bytes).prefix(limit + 1)))
    }

    /// Begins the list with the lines before the one that decided. They stand by themselves, unless they are too long.
    private mutating func begin(with bytes: [UInt8], before line: LineSplitter.Line) -> Description? {
        isList = true
        behind = Description(bytes: line.bytes, line: lines.number)
        guard bytes.count <= limit else { return Description(bytes: bytes, line: blankLines + 1) }
        early = LineSplitter(limit: limit)
        early?.append(bytes + [UInt8(ascii: "\n")])
        return nextEarly()
    }

    private mutating func nextEarly() -> Description? {
        while let line = early?.next() {
            guard !line.isBlank else { continue }
            return Description(bytes: line.bytes, line: blankLines + (early?.number ?? 0))
        }
        early = nil
        return behind.take()
    }

    /// The next line; `nil` at the end, and if it would have to be waited for.
    ///
    /// The stream of a cancelled task ends where it is. Nothing else has the bytes that came through it, so a line that is
    /// whole without its line feed still counts.
    ///
    /// - Parameter keepsCutLine: whether the last line of a cancelled task counts even if it is not whole: it belongs to
    ///   lines that came before it.
    private mutating func nextLine(waiting: Bool, keepsCutLine: Bool = false) throws(ReadingError)
        -> LineSplitter.Line?
    {
        while !isStreamAtEnd {
            if let line = lines.next() { return line }
            guard waiting || isReady() else { return nil }
            let bytes: [UInt8]
            do throws(ReadingError) {
                bytes = try read()
            } catch {
                guard Task.isCancelled else { throw error }
                isStreamAtEnd = true
                return lines.finish().flatMap { keepsCutLine || $0.isJSON ? $0 : nil }
            }
            guard !bytes.isEmpty else {
                isStreamAtEnd = true
                return lines.finish()
            }
            lines.append(bytes)
        }
        return nil
    }

    private func read() throws(ReadingError) -> [UInt8] {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        return Array(chunk[..<(try stream.read(into: chunk))])
    }
}

extension LineSplitter.Line {
    /// Removes the byte order mark. A line that is too long stays so.
    fileprivate mutating func removeMark() {
        let count = PipeBeginning.markCount(bytes)
        bytes.removeFirst(count)
        if isTooLong { bytes += Array(repeating: UInt8(ascii: " "), count: count) }
    }

    /// Whether the line has only white space. Of one that is too long, the rest is not known.
    fileprivate var isBlank: Bool { !isTooLong && bytes.allSatisfy(\.isJSONSpace) }

    /// Whether the line is one whole JSON text.
    fileprivate var isJSON: Bool { !isTooLong && JSONFault.find(in: bytes) == nil }

    /// Whether the line is a description by itself: an object with the keys that each description has.
    fileprivate var isDescription: Bool {
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"), isJSON,
            let outline = JSONOutline(bytes, isWhole: true)
        else { return false }
        return ["version", "items"].allSatisfy { key in
            outline.members.contains { bytes[$0.key].elementsEqual(key.utf8) }
        }
    }
}
