import ShareModel
import Synchronization
import SystemPackage

@testable import Reading

/// A container of made-up parts. Its file has the line `made`, then a line for each part: name, size, and `?` if the
/// container does not declare the size. Each byte of a part is an `x`.
struct MadeReader: ContainerReader {
    let name = "made"
    var log = MadeLog()

    func open(_ stream: PeekableStream, path: FilePath) throws(ReadingError) -> (any OpenedContainer)? {
        guard stream.head.starts(with: "made\n".utf8) else { return nil }
        log.change { $0.passes += 1 }
        return MadeContainer(String(decoding: stream.head, as: UTF8.self).split(separator: "\n").dropFirst(), log)
    }
}

/// The calls of the pipeline to made-up containers.
final class MadeLog: Sendable {
    struct Counts {
        /// The number of times that a container was opened.
        var passes = 0
        /// The largest buffer that a part received, in bytes.
        var buffer = 0
        var bytes = 0
    }

    private let counts = Mutex(Counts())

    var now: Counts { counts.withLock { $0 } }

    func change(_ body: (inout Counts) -> Void) { counts.withLock { body(&$0) } }
}

private final class MadeContainer: OpenedContainer {
    private var lines: ArraySlice<Substring>
    private let log: MadeLog
    private var left = 0

    init(_ lines: ArraySlice<Substring>, _ log: MadeLog) { (self.lines, self.log) = (lines, log) }

    func next() throws(ReadingError) -> ContainerPart? {
        guard let words = lines.popFirst()?.split(separator: " ") else { return nil }
        guard words.count > 1, let size = Int(words[1]) else { throw ReadingError(.malformed, "a line without a size") }
        left = size
        return ContainerPart(path: FilePath(String(words[0])), size: words.count > 2 ? nil : Int64(size))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = min(left, buffer.count)
        buffer[..<count].initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
        left -= count
        log.change {
            $0.buffer = max($0.buffer, buffer.count)
            $0.bytes += count
        }
        return count
    }
}
