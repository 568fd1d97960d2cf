import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Reading

/// What comes through a pipe: how it is told apart, descriptions line by line, and a file that streams.
@Suite struct PipeTests {
    /// Yields bytes in pieces of one size.
    private final class Pieces: ByteStream {
        private var rest: ArraySlice<UInt8>
        private let size: Int

        init(_ bytes: [UInt8], of size: Int) { (rest, self.size) = (bytes[...], size) }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
            let piece = rest.prefix(min(size, buffer.count))
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    // MARK: - How a pipe begins

    private static let mark = "\u{FEFF}"

    @Test(
        arguments: [
            ("{", .descriptions), (" \t\r\n{\"version\"", .descriptions), (mark + "\n{", .descriptions),
            ("[{}]", .unknown), ("\u{B}{", .unknown), ("x{", .unknown),
            ("--b\r\nContent-Disposition: form-data", .form), (mark + "--b\r\nContent-", .unknown),
            ("\r\n--b\r\nContent-", .unknown), ("--b\r\nX: y", .unknown),
            ("http://a", .link("http://a")), (" \n https://a/b?c#d \r\n", .link("https://a/b?c#d")),
            (mark + "HTTPS://A", .link("HTTPS://A")), ("https://grüße.example", .link("https://grüße.example")),
            ("https://a b", .unknown), ("https://a\nhttps://b", .unknown), ("https://a\0", .unknown),
            ("https://a\u{7F}", .unknown), ("ftp://a", .unknown), ("httpx://a", .unknown), ("a https://a", .unknown),
            ("", .unknown), (" ", .unknown), ("Rivers run.", .unknown),
        ] as [(String, PipeBeginning)])
    func itsBeginningDecides(_ text: String, _ beginning: PipeBeginning) {
        #expect(PipeBeginning(Array(text.utf8)) == beginning)
    }

    /// The end of a longer address was not seen.
    @Test func anAddressIsSeenToItsEnd() {
        let address = "https://a/" + String(repeating: "x", count: PeekableStream.headBytes - 11)
        #expect(PipeBeginning(Array(address.utf8)) == .link(address))
        #expect(PipeBeginning(Array((address + "x").utf8)) == .unknown)
        #expect(PipeBeginning(Array("https://a/".utf8) + [0xE4]) == .unknown, "it is no text")
    }

    // MARK: - Descriptions

    private static func descriptions(
        _ bytes: [UInt8], limit: Int = 100, pieces: Int = 7
    ) throws -> [DescriptionLines.Description] {
        var lines = DescriptionLines(Pieces(bytes, of: pieces), limit: limit)
        var found: [DescriptionLines.Description] = []
        while let next = try lines.next() { found.append(next) }
        return found
    }

    private static let note = #"{"version": 1, "items": []}"#

    private static func one(_ text: String, _ line: Int? = nil) -> DescriptionLines.Description {
        DescriptionLines.Description(bytes: Array(text.utf8), line: line)
    }

    @Test(
        arguments: [
            ("{}", [one("{}", 1)]), ("{}\n", [one("{}", 1)]), (mark + "{}\r\n", [one("{}\r", 1)]),
            ("\n \n{}\n\n\t\n{}\n \n", [one("{}", 3), one("{}", 6)]),
            // The first line is whole, so each other line stands for itself.
            ("{}\n{\n}\n[]", [one("{}", 1), one("{", 2), one("}", 3), one("[]", 4)]),
            // The first line is not whole, so all lines are one description. Errors in it name its lines.
            ("{\n}\n{}\n", [one("{\n}\n{}")]), ("\n\n{\n}", [one("\n\n{\n}")]), (mark + "{\r\n}", [one("{\r\n}")]),
            ("{} {}\n[]", [one("{} {}\n[]")]), ("", []), ("\n \n", []),
            // A later line is a description, so the lines before it are broken by themselves.
            ("\n{x}\r\n \(note)\n{", [one("{x}\r", 2), one(" \(note)", 3), one("{", 4)]),
            (
                "{\"items\": [\n\n[]\n\(note)\n\n{}",
                [one("{\"items\": [", 1), one("[]", 3), one(note, 4), one("{}", 6)]
            ),
            ("{x}\n\(note)", [one("{x}", 1), one(note, 2)]),
            // Objects on lines of their own are parts of one description.
            ("{\"items\": [\n{\"items\": 1}\n]}", [one("{\"items\": [\n{\"items\": 1}\n]}")]),
            ("{\"a\": {}\n}\n{}", [one("{\"a\": {}\n}\n{}")]), ("{x}\n\n{}", [one("{x}\n\n{}")]), ("{x}", [one("{x}")]),
        ] as [(String, [DescriptionLines.Description])])
    func theLinesDecide(_ text: String, _ expected: [DescriptionLines.Description]) throws {
        for size in [1, 2, 7, 1_000] { #expect(try Self.descriptions(Array(text.utf8), pieces: size) == expected) }
    }

    /// Whether a reading would not wait.
    private final class Live {
        var isReady = false
    }

    /// A line that is whole is returned, and no other one is waited for.
    @Test func aWholeLineIsThereAtOnce() throws {
        let live = Live()
        let text = "{}\n{}\n[]\n{"
        var lines = DescriptionLines(Pieces(Array(text.utf8), of: 4), limit: 100) { live.isReady }
        #expect(try lines.next(waiting: false) == Self.one("{}", 1), "the first one is waited for")
        #expect(try lines.next(waiting: false) == nil)
        #expect(!lines.isAtEnd)
        live.isReady = true
        #expect(try lines.next(waiting: false) == Self.one("{}", 2))
        live.isReady = false
        #expect(try lines.next(waiting: false) == nil)
        #expect(!lines.isAtEnd)
        #expect(try lines.next() == Self.one("[]", 3))
        #expect(try lines.next() == Self.one("{", 4))
        #expect(try lines.next() == nil)
        #expect(lines.isAtEnd)
    }

    /// A description beyond the limit has one byte more than the limit, by which the parser refuses it.
    @Test func aDescriptionIsLimited() throws {
        let long = "{\"a\": \"" + String(repeating: "x", count: 92) + "\"}"
        #expect(long.utf8.count == 101)
        let lines = "{}\n\(long)\n\(long.dropLast(2))}\n{}\n"
        #expect(try Self.descriptions(Array(lines.utf8)).map(\.bytes.count) == [2, 101, 100, 2])
        for text in [long, long + "\n{}", "{\n" + long, "\n\n{\n" + String(repeating: "\n", count: 200)] {
            #expect(try Self.descriptions(Array(text.utf8)).map(\.bytes.count) == [101], "\(text.prefix(8))")
        }
        let endless = Array(repeating: UInt8(ascii: "{"), count: 1 << 20)
        #expect(try Self.descriptions(endless, pieces: 64 << 10).map(\.bytes.count) == [101])
    }

    /// A text that is too long fails as one, up to the next line that is a description. That one and all later lines are
    /// a list.
    @Test(arguments: [7, 64 << 10])
    func aListBeginsBehindATextThatIsTooLong(_ size: Int) throws {
        func lines(_ text: String) throws -> [DescriptionLines.Description] {
            let found = try Self.descriptions(Array(text.utf8), pieces: size)
            #expect(found.first?.bytes == Array(text.drop { $0 == "\n" }.utf8.prefix(101)))
            return Array(found.dropFirst())
        }
        let line = "{\"a\": \"" + String(repeating: "x", count: 1_000) + "\"}"
        let list = "\(Self.note)\n\n{x}\n{}\n"
        // The first line is too long.
        #expect(try lines("\(line)\n\(list)") == [Self.one(Self.note, 2), Self.one("{x}", 4), Self.one("{}", 5)])
        #expect(try lines("\n\n\(line)\n{\n{}\n\(Self.note)") == [Self.one(Self.note, 6)])
        #expect(try lines(String(repeating: " ", count: 200) + "{}\n\(Self.note)") == [Self.one(Self.note, 2)])
        // The first lines are too long together, and so is one of them.
        let broken = String(repeating: "{broken}\n", count: 20)
        #expect(try lines(broken + list) == [Self.one(Self.note, 21), Self.one("{x}", 23), Self.one("{}", 24)])
        #expect(try lines("{x}\n\(line)\n\(list)").first == Self.one(Self.note, 3))
        // They are as long as the limit, and a byte longer.
        for (last, count) in [("{xy}", 49), ("{xyz}", 2)] {
            let whole = "{y}\n" + String(repeating: "x\n", count: 46) + last
            let parts = try Self.descriptions(Array("\(whole)\n\(Self.note)".utf8), pieces: size)
            #expect(parts.count == count && parts.last == Self.one(Self.note, 49))
        }
        // Nothing is behind it.
        for text in [line, line + "\n", "\(line)\n{x}\n{}", broken] { #expect(try lines(text) == []) }
        #expect(try Self.descriptions(Array("\n\(line)".utf8), pieces: size).map(\.line) == [nil])
    }

    /// The line of such a text is the one where it began.
    @Test func aTextThatIsTooLongHasALine() throws {
        let long = String(repeating: "{", count: 200)
        for (text, line) in [("", 1), ("\n \n", 3), (Self.mark, 1)] {
            let found = try Self.descriptions(Array("\(text)\(long)\n\(Self.note)\n".utf8))
            #expect(found.map(\.line) == [line, line + 1] && found.first?.bytes.count == 101)
        }
    }

    /// The description behind such a text still comes after the end of the pipe.
    @Test func theEndIsBehindTheLastDescription() throws {
        let text = String(repeating: "{", count: 200) + "\n" + Self.note
        var lines = DescriptionLines(Pieces(Array(text.utf8), of: 1_000), limit: 100)
        #expect(try lines.next()?.line == 1)
        #expect(!lines.isAtEnd)
        #expect(try lines.next() == Self.one(Self.note, 2))
        #expect(lines.isAtEnd)
        #expect(try lines.next() == nil)
    }

    /// With a square of the length, this would take minutes.
    @Test(.timeLimit(.minutes(60)), arguments: [0, 1])
    func millionsOfLinesAreRead(_ place: Int) throws {
        let blank = Array(repeating: UInt8(ascii: "\n"), count: 1 << 19)
        let text = place == 0 ? Array("{}".utf8) + blank + Array("{}".utf8) : blank + Array("{}".utf8)
        let found = try Self.descriptions(text, limit: 32 << 20, pieces: 64 << 10)
        #expect(found.map(\.line) == (place == 0 ? [1, (1 << 19) + 1] : [(1 << 19) + 1]))
    }

    // MARK: - Files

    @Test func aFileIsOpenedOnce() throws {
        let folder = try TestFolder()
        let descriptor = try FileDescriptor.open(folder.write("a", "the rest"), .readOnly)
        try descriptor.closeAfter {
            let file = PipedFile(descriptor, after: Array("the head, ".utf8), named: "../a/report.pdf")
            let source = PackageSource(kind: .standardInput, path: "-", folder: nil)
            let package = file.package(source, named: "../a/report.pdf")
            #expect(package.items.first?.attachments.first?.suggestedName == "../a/report.pdf")
            let container = try file.open()
            let part = try #require(try container.next())
            #expect(part.size == nil && part.declaredType == nil)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
            defer { buffer.deallocate() }
            var text = ""
            while case let count = try container.read(into: buffer), count > 0 {
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            #expect(text == "the head, the rest")
            #expect(try container.next() == nil)
            let error = #expect(throws: ReadingError.self) { try file.open() }
            #expect(error?.code == .refused)
        }
    }

    /// Gigabytes may lie behind a form. They are counted for its warning.
    @Test func aCancelledCountingEnds() async throws {
        let folder = try TestFolder()
        let form = "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nA text\r\n--b--\r\n"
        let bytes = Array(form.utf8) + Array(repeating: UInt8(ascii: " "), count: 1 << 20)
        let file = try FileDescriptor.open(folder.write("form", bytes), .readOnly)
        defer { try? file.close() }
        let body = FormBody(file, size: Int64(bytes.count), readers: .standard, limits: ReadingLimits())
        let source = PackageSource(kind: .standardInput, path: "-", folder: nil)
        #expect(try body.package(source).warnings == [])
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try body.package(source)
        }
        await #expect(throws: ReadingError.self) { try await cancelled.value }
    }

    /// A program that sends a byte now and then never lets the wait run out.
    @Test func aCancelledReadingEnds() async throws {
        let pipe = try FileDescriptor.pipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        _ = try pipe.writeEnd.writeAll([1])
        let read: @Sendable () -> (any Error)? = {
            withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { buffer in
                do {
                    _ = try pipe.readEnd.readUntilCancelled(into: buffer)
                    return nil
                } catch {
                    return error
                }
            }
        }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return read()
        }
        #expect(await cancelled.value is CancellationError)
        #expect(read() == nil, "the byte is still there")
    }
}
