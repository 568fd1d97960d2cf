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
            ("{} {}\n{}", [one("{} {}\n{}")]), ("", []), ("\n \n", []),
        ] as [(String, [DescriptionLines.Description])])
    func theFirstLineDecides(_ text: String, _ expected: [DescriptionLines.Description]) throws {
        for size in [1, 2, 7, 1_000] { #expect(try Self.descriptions(Array(text.utf8), pieces: size) == expected) }
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
