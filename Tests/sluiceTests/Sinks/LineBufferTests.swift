import Testing

@testable import ShareModel

@Suite struct LineBufferTests {
    private static let limit = 16

    private func lines(_ chunks: [String]) throws -> [String] {
        var buffer = LineBuffer(limit: Self.limit)
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
        let longest = String(repeating: "x", count: Self.limit - 1)
        #expect(try lines([longest, "\nnext\n"]) == [longest, "next"])
    }

    @Test(arguments: ["", "\n"])
    func refusesALongerLineWithOrWithoutAnEnd(end: String) {
        let tooLong = String(repeating: "x", count: Self.limit)
        #expect(throws: LineTooLong(bytes: Self.limit, limit: Self.limit)) { try lines([tooLong + end]) }
    }

    @Test func aLineHasItsLimitWithItsLineFeed() throws {
        let line = try JSONLines.line("12345", limit: 8)
        #expect(String(decoding: line, as: UTF8.self) == "\"12345\"\n")
        #expect(throws: LineTooLong(bytes: 8, limit: 7)) { try JSONLines.line("12345", limit: 7) }
        var buffer = LineBuffer(limit: 8)
        buffer.append(line)
        #expect(try buffer.next().map { try JSONLines.decode(String.self, from: $0) } == "12345")
    }
}
