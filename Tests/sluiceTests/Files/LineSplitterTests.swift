import Files
import Testing

@Suite struct LineSplitterTests {
    private static func lines(_ text: String, limit: Int = 5, pieces size: Int) -> [LineSplitter.Line] {
        var (splitter, found) = (LineSplitter(limit: limit), [LineSplitter.Line]())
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            splitter.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let line = splitter.next() { found.append(line) }
            #expect(!splitter.hasNext && splitter.number == found.count)
        }
        if let last = splitter.finish() { found.append(last) }
        #expect(splitter.next() == nil)
        #expect(splitter.finish() == nil)
        #expect(splitter.number == found.count)
        return found
    }

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("\na\n\nb", ["", "a", "", "b"]),
            ("12345\n1", ["12345", "1"]),
        ] as [(String, [String])])
    func aSeparatorEndsALine(_ text: String, _ expected: [String]) {
        for size in [1, 2, 3, 100] {
            let lines = Self.lines(text, pieces: size)
            #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
            #expect(lines.allSatisfy { !$0.isTooLong })
        }
    }

    /// Of a line beyond the limit, one byte more than the limit is left.
    @Test(arguments: [1, 2, 6, 7, 100]) func aLineIsLimited(_ size: Int) {
        for text in ["a\n123456789\nb", "a\n123456\nb"] {
            let lines = Self.lines(text, pieces: size)
            #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a", "123456", "b"])
            #expect(lines.map(\.isTooLong) == [false, true, false])
        }
    }

    @Test func linesThatAreThereAreTold() {
        var splitter = LineSplitter(limit: 5)
        splitter.append(Array("a\nb\n1234".utf8))
        #expect(splitter.hasNext)
        #expect(splitter.next()?.bytes == Array("a".utf8))
        // The rest of the buffer stays.
        splitter.append(Array("56".utf8))
        #expect(splitter.hasNext)
        #expect(splitter.next()?.bytes == Array("b".utf8))
        #expect(!splitter.hasNext)
        #expect(splitter.next() == nil)
        #expect(splitter.finish()?.bytes == Array("123456".utf8))
    }
}
