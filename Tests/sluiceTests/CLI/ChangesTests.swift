import Foundation
import ShareModel
import SystemPackage
import Testing

/// `sluice changes`, run as its users run it.
@Suite struct ChangesTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/1.txt", "one")
        try folder.write("in/2.txt", "two")
    }

    private func takeIn(_ name: String) throws {
        #expect(try program.ingest(folder[name], options: ["--no-deliver"]).status == 0)
    }

    @Test func tellsWhatFollowsACursor() throws {
        try takeIn("in")
        let all = try lines(["changes", "--json"])
        #expect(all.compactMap(\.change).map(\.kind) == ["package", "package"])
        let rest = try lines(["changes", "--json", "--since", #require(all[0].change?.cursor)])
        #expect(rest.compactMap(\.change) == [all[1].change].compactMap(\.self))
        #expect(try lines(["changes", "--json", "--limit", "1"]).count == 1)
        let reset = try lines(["changes", "--json", "--since", "0123456789abcdef.1"])
        #expect(reset.count == 3)
        #expect(reset[0].reset != nil)
        #expect(try program.run(["changes"]).output.hasPrefix("1  package"))
    }

    @Test func anObserverGetsEachChangeOnce() throws {
        try takeIn("in/1.txt")
        let asMail = ["changes", "--json", "--as", "mail"]
        #expect(try lines(asMail).map { $0.change?.number } == [1])
        #expect(try lines(asMail).isEmpty)
        try takeIn("in/2.txt")
        #expect(try lines(asMail).map { $0.change?.number } == [2])
        #expect(try lines(["changes", "--json", "--as", "other"]).map { $0.change?.number } == [1, 2])
    }

    /// What could not be written was not seen.
    @Test func anObserverStaysWhereItsLinesWereLost() throws {
        try takeIn("in/1.txt")
        let scratch = try TestFolder()
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let process = try program.start(
            ["changes", "--as", "mail"], input: scratch.write("input", ""), scratch: scratch, output: full)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(try lines(["changes", "--json", "--as", "mail"]).count == 1)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func followsUntilASignal(_ signal: Int32) throws {
        try takeIn("in/1.txt")
        let follower = try Follower(program)
        #expect(try follower.line().contains(#""number":1"#))
        try takeIn("in/2.txt")
        #expect(try follower.line().contains(#""number":2"#))
        kill(follower.process.processIdentifier, signal)
        follower.process.waitUntilExit()
        #expect(follower.process.terminationStatus == 130)
    }

    @Test func endsQuietlyWhereNobodyReadsOn() throws {
        try takeIn("in/1.txt")
        let follower = try Follower(program)
        #expect(try follower.line().contains(#""number":1"#))
        try follower.pipe.fileHandleForReading.close()
        follower.process.waitUntilExit()
        #expect(follower.process.terminationStatus == 0)
        #expect(try Disk.bytes(follower.scratch["errors"]).isEmpty)
    }

    @Test(arguments: [["--as", "No Name"], ["--as", "library"], ["--since", "soon"], ["--limit", "0"]])
    func refusesNonsense(_ arguments: [String]) throws {
        try takeIn("in/1.txt")
        #expect(try program.run(["changes"] + arguments).status == 64)
    }

    private struct Line: Decodable {
        var change: ChangeEntry?
        var reset: ChangeReset?
    }

    private func lines(_ arguments: [String]) throws -> [Line] {
        let end = try program.run(arguments)
        #expect(end.status == 0, "\(end.errors)")
        return try end.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

/// `sluice changes --follow`, while it runs.
private final class Follower {
    let scratch: TestFolder
    let pipe = Pipe()
    let process: Process

    init(_ program: Program) throws {
        scratch = try TestFolder()
        process = try program.start(
            ["changes", "--json", "--follow"], input: scratch.write("input", ""), scratch: scratch, output: pipe)
    }

    /// The next line; waits for it.
    func line() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
