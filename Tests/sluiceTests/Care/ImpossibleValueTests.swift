import ShareModel
import SystemPackage
import Testing

/// Values in a catalog that no program writes: `verify` names them, and every command ends.
@Suite struct ImpossibleValueTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/a.txt", "first")
        try folder.write("in/b.txt", "second")
        try folder.share("in/link", title: "A link", #"{"representations": [{"link": "https://example.org/"}]}"#)
        #expect(try program.ingest(folder["in"]).status == 0)
        #expect(try program.run(["library"]).status == 0)
    }

    private func findings() throws -> [CareFinding] {
        let end = try program.run(["verify", "--json"])
        let findings = try end.messages.compactMap(\.finding)
        #expect(end.status == (findings.isEmpty ? 0 : 1), "\(end.output)\(end.errors)")
        return findings
    }

    private static let greatest = "9223372036854775807"

    /// The table, and what is set where.
    @Test(arguments: [
        ("package", "bytes = -1 WHERE seq = 1"), ("package", "bytes = \(greatest) WHERE seq = 1"),
        ("package", "received = 'never' WHERE seq = 1"),
        ("package", "superseded_by = id WHERE seq = 1"), ("package", "supersedes = id WHERE seq = 1"),
        ("delivery", "attempts = \(greatest) WHERE package = 1"), ("delivery", "fence = -1 WHERE package = 1"),
        ("delivery", "due = -3 WHERE package = 1"), ("delivery", "lead = 99 WHERE package = 1"),
        ("delivery", "lead = -3 WHERE package = 1"), ("delivery", "leader = seq WHERE package = 1"),
        ("delivery", "id = '' WHERE package = 1"), ("shelf", "path = 'a' || char(0) || 'b' WHERE package = 1"),
        ("shelf", "path = '/etc/passwd' WHERE package = 1"), ("shelf", "path = 'x/../../y' WHERE package = 1"),
        ("shelf", "path = '' WHERE package = 1"),
    ])
    func aValueThatNoProgramWritesIsAFinding(_ table: String, _ change: String) throws {
        try SQL.run(folder["container"], "UPDATE \(table) SET \(change)")
        let found = try findings()
        #expect(found.map(\.kind) == [.record] && found[0].packages.count == 1, "\(found)")
        #expect(found[0].what.hasPrefix("1 record of '\(table)' is damaged: "), "\(found)")
        let commands = [
            ["list"], ["library"], ["library", "--rebuild"], ["export", folder["bag"].string], ["deliver"],
            ["ingest", "--reread", "--no-deliver", folder["in"].string],
        ]
        for command in commands {
            let end = try program.run(command)
            // A process that crashes has another status.
            #expect([0, 1].contains(end.status), "\(command): \(end)")
        }
        #expect(try program.run(["forget", found[0].packages[0].id]).status == 0)
        #expect(try findings().isEmpty)
    }

    /// A path with a zero byte, or one that no file system takes. The library gives the content another one.
    @Test(arguments: ["'a' || char(0) || 'b'", "printf('%.300c', 'x') || '.txt'", "x'FF'", "'../x'"])
    func theLibraryGivesAnotherPath(_ path: String) throws {
        try SQL.run(folder["container"], "UPDATE shelf SET path = \(path) WHERE package = 1")
        #expect(try findings().map(\.kind) == [.record])
        #expect(try program.run(["library"]).status == 0)
        #expect(try program.run(["library", "--rebuild"]).status == 0)
        #expect(try findings().isEmpty)
        let files = Disk.files(below: folder["container/library"])
        #expect(files.contains { $0.hasSuffix("/a.txt") || $0.hasSuffix("/a (2).txt") }, "\(files)")
    }

    /// A row of the library that names no piece goes with the next rebuild.
    @Test(arguments: ["package = x'FF'", "place = 'text'", "place = -9223372036854775807"])
    func aRebuildRemovesADamagedRow(_ damage: String) throws {
        try SQL.run(folder["container"], "UPDATE shelf SET \(damage) WHERE package = 1")
        #expect(try [0, 1].contains(program.run(["library"]).status))
        #expect(try program.run(["library", "--rebuild"]).status == 0)
        #expect(try findings().isEmpty)
        #expect(try SQL.run(folder["container"], "SELECT count(*) FROM shelf") == ["3"])
    }

    /// Text that is not UTF-8 is read as another text, behind which the same row would come again.
    @Test func aRowWithAnotherNumberEndsNoRun() throws {
        try SQL.run(folder["container"], "UPDATE shelf SET package = CAST(x'FF41FE' AS TEXT) WHERE package = 3")
        #expect(try findings().map(\.kind) == [.record])
        for options in [[], ["--rebuild"]] {
            #expect(try [0, 1].contains(program.run(["library"] + options).status))
        }
    }

    @Test func thePauseOfASinkIsRead() throws {
        try SQL.run(folder["container"], "UPDATE delivery SET outcome = 'pending' WHERE package = 1")
        try SQL.run(
            folder["container"], "INSERT INTO held_sink SELECT sink, 1, \(Self.greatest), 'w' FROM delivery LIMIT 1")
        let found = try findings()
        #expect(found.map(\.kind) == [.record] && found[0].what.contains("'held_sink'"), "\(found)")
        let id = try SQL.run(folder["container"], "SELECT id FROM package WHERE seq = 1")[0]
        #expect(try program.run(["show", id]).status == 0)
        #expect(try program.run(["deliver"]).status == 0)
    }

    /// A damaged arrival is left out, and its package is not.
    @Test func aDamagedArrivalKeepsNoPackageOut() throws {
        try folder.write("copies/a copy.txt", "first")
        #expect(try program.ingest(folder["copies"]).receipt.outcome == .duplicate)
        let id = try SQL.run(folder["container"], "UPDATE sighting SET received = x'FF' RETURNING package")[0]
        #expect(try findings().map(\.kind) == [.record])
        let package = try SQL.run(folder["container"], "SELECT id FROM package WHERE seq = \(id)")[0]
        let shown = try program.run(["show", package])
        #expect(shown.status == 0 && shown.output.contains("1 earlier one"), "\(shown)")
        #expect(try program.run(["export", folder["bag"].string]).status == 0)
        let again = Program(container: folder["again"])
        #expect(try again.ingest(folder["bag"], options: ["--no-deliver"]).receipts.count == 3)
    }

    /// The other objects are checked all the same, and nothing is removed: the file of the damaged row looks unused.
    @Test(arguments: ["x'00'", "'text'"]) func aDamagedDigestStopsNoCheck(_ digest: String) throws {
        try Damage.removed.strike(folder["container"].object(of: "second"))
        let first = Digest(of: "first").description
        try SQL.run(folder["container"], "UPDATE object SET sha256 = \(digest) WHERE hex(sha256) = upper('\(first)')")
        let found = try findings()
        #expect(found.contains { $0.kind == .record && $0.what.contains("'sha256'") }, "\(found)")
        #expect(found.contains { $0.kind == .missing && $0.object == Digest(of: "second") }, "\(found)")
        let collection = try program.run(["gc", "--grace", "0s"])
        #expect(collection.status == 2 && collection.errors.contains("nothing was removed"), "\(collection)")
        #expect(try Disk.bytes(folder["container"].object(of: "first")) == Array("first".utf8))
        // Other packages can be forgotten, and the one of the damaged row too.
        let holders = try #require(found.first { $0.what.contains("'sha256'") }).packages
        #expect(holders.count == 1)
        for id in try SQL.run(folder["container"], "SELECT id FROM package ORDER BY seq DESC") {
            let end = try program.run(["forget", id])
            #expect(end.status == 0, "\(end)")
        }
        #expect(try findings().isEmpty)
    }
}
