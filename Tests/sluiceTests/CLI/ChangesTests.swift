import Foundation
import ShareModel
import SystemPackage
import Testing

/// Runs `sluice changes` as a user does.
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

    @Test func listsTheChangesAfterACursor() throws {
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

    /// A consumer may die, or read only the beginning, after the lines were printed.
    @Test func printingMovesNoObserver() throws {
        try takeIn("in")
        let asMail = ["changes", "--json", "--as", "mail"]
        for _ in 0..<2 { #expect(try lines(asMail).map { $0.change?.number } == [1, 2]) }
        #expect(try acknowledge("1").status == 0)
        for _ in 0..<2 { #expect(try lines(asMail).map { $0.change?.number } == [2]) }
        #expect(try lines(asMail + ["--since", "0"]).count == 2)
        #expect(try lines(asMail).count == 1)
    }

    @Test func anAcknowledgmentMovesItsObserver() throws {
        try takeIn("in/1.txt")
        let asMail = ["changes", "--json", "--as", "mail"]
        let first = try #require(lines(asMail).first?.change?.cursor)
        for _ in 0..<2 {
            let end = try acknowledge(first)
            #expect(end.status == 0, "\(end.errors)")
            #expect(end.output.isEmpty)
            #expect(try lines(asMail).isEmpty)
        }
        try takeIn("in/2.txt")
        #expect(try lines(asMail).map { $0.change?.number } == [2])
        #expect(try lines(["changes", "--json", "--as", "other"]).map { $0.change?.number } == [1, 2])
    }

    @Test func anAcknowledgmentThatDoesNotFitIsRefused() throws {
        try takeIn("in")
        let cursors = try lines(["changes", "--json"]).compactMap(\.change?.cursor)
        #expect(try acknowledge(cursors[1]).status == 0)
        for (cursor, words) in [
            (cursors[0], "--since"), ("3", "beyond the last change"), ("0123456789abcdef.2", "another catalog"),
        ] {
            let end = try acknowledge(cursor)
            #expect(end.status == 64)
            #expect(end.errors.contains(words), "\(end.errors)")
        }
        #expect(try lines(["changes", "--json", "--as", "mail"]).isEmpty)
    }

    /// The numbers of a restored catalog begin again below the place that the observer had.
    @Test func anObserverOfAnotherEpochMovesToTheNewOne() throws {
        try takeIn("in")
        #expect(try acknowledge("2").status == 0)
        try SQL.run(folder["container"], "UPDATE observer SET epoch = '0123456789abcdef'")
        let all = try lines(["changes", "--json", "--as", "mail"])
        #expect(all.count == 3)
        #expect(all.first?.reset != nil)
        #expect(try acknowledge(#require(all[1].change?.cursor)).status == 0)
        #expect(try lines(["changes", "--json", "--as", "mail"]).map { $0.change?.number } == [2])
    }

    @Test func anAcknowledgmentMakesNoContainer() throws {
        let end = try acknowledge("1")
        #expect(end.status == 2)
        #expect(end.errors.contains("there is no container at"))
        #expect(Disk.names(in: folder.path) == ["in"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
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

    /// The commands of maintenance change the feed too. A follower wakes only when the last number is written down.
    @Test func maintenanceWakesItsFollowers() throws {
        try takeIn("in")
        let container = folder["container"]
        func expectNews(_ kind: String) throws {
            let last = try SQL.run(container, "SELECT seq, kind FROM change ORDER BY seq DESC LIMIT 1")[0].split(
                separator: "|")
            #expect(last[1] == kind)
            let told = String(decoding: try Disk.bytes(container.appending("run/changes")), as: UTF8.self)
            #expect(
                told.split(separator: ".").last.flatMap { Int($0.trimmingCharacters(in: .newlines)) } == Int(last[0]))
        }
        try expectNews("package")
        try FileManager.default.removeItem(atPath: folder["in/1.txt"].string)
        try Damage.removed.strike(container.object(of: "one"))
        #expect(try program.run(["verify", "--repair"]).status == 1)
        try expectNews("updated")
        let id = try #require(lines(["changes", "--json"]).first?.change?.id)
        #expect(try program.run(["forget", id]).status == 0)
        try expectNews("forgotten")
    }

    @Test func endsWithoutAnErrorWhenItsReaderIsGone() throws {
        try takeIn("in/1.txt")
        let follower = try Follower(program)
        #expect(try follower.line().contains(#""number":1"#))
        try follower.pipe.fileHandleForReading.close()
        follower.process.waitUntilExit()
        #expect(follower.process.terminationStatus == 0)
        #expect(try Disk.bytes(follower.scratch["errors"]).isEmpty)
    }

    @Test(arguments: [
        ["--as", "No Name"], ["--as", "library"], ["--since", "soon"], ["--limit", "0"], ["--ack", "1"],
        ["--as", "mail", "--ack", "soon"], ["--as", "mail", "--ack", "1", "--follow"],
        ["--as", "mail", "--ack", "1", "--since", "0"], ["--as", "mail", "--ack", "1", "--limit", "1"],
    ])
    func refusesNonsense(_ arguments: [String]) throws {
        try takeIn("in/1.txt")
        #expect(try program.run(["changes"] + arguments).status == 64)
    }

    private func acknowledge(_ cursor: String) throws -> Program.End {
        try program.run(["changes", "--as", "mail", "--ack", cursor])
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

/// A running `sluice changes --follow`.
private final class Follower {
    let scratch: TestFolder
    let pipe = Pipe()
    let process: Process

    init(_ program: Program) throws {
        scratch = try TestFolder()
        process = try program.start(
            ["changes", "--json", "--follow"], input: scratch.write("input", ""), scratch: scratch, output: pipe)
    }

    /// Waits for the next line.
    func line() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
