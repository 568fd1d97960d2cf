import SinkKit
import Testing

@Suite struct LineBufferTests {
    private func lines(_ chunks: [String]) throws -> [String] {
        var buffer = LineBuffer()
        var lines: [String] = []
        for chunk in chunks {
            buffer.append(chunk.utf8)
            while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }

    @Test(arguments: [
        (["one\ntwo\n"], ["one", "two"]),
        (["o", "n", "e", "\n"], ["one"]),
        (["one\ntw", "o\nthree"], ["one", "two"]),
        (["", "\n\n", "x\n"], ["", "", "x"]),
        (["one\n", "two\nthree\nfo", "ur\n"], ["one", "two", "three", "four"]),
    ])
    func cutsAtLineFeedsWhereverTheReadsEnd(chunks: [String], expected: [String]) throws {
        #expect(try lines(chunks) == expected)
    }

    @Test func acceptsALineOfTheLargestSize() throws {
        let longest = String(repeating: "x", count: SinkProtocol.maximumLineBytes - 1)
        #expect(try lines([longest, "\nnext\n"]) == [longest, "next"])
    }

    @Test(arguments: ["", "\n"])
    func refusesALongerLineWithOrWithoutAnEnd(end: String) {
        let tooLong = String(repeating: "x", count: SinkProtocol.maximumLineBytes)
        #expect(throws: SinkProtocol.LineTooLong.self) { try lines([tooLong + end]) }
    }
}
