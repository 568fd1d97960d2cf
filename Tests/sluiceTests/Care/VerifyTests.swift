import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// `sluice verify` finds every damage to a container, and repairs what it can.
@Suite struct VerifyTests {
    private static let text = "words that matter, and some more of them"

    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }
    private var object: FilePath { folder["container"].object(of: Self.text) }

    init() throws {
        folder = try TestFolder()
        try folder.write("in/letter.txt", Self.text)
        try folder.write("in/other.txt", "another one")
        try folder.share("in/link", title: "A link", #"{"representations": [{"link": "https://example.org/"}]}"#)
        #expect(try program.ingest(folder["in"]).status == 0)
    }

    private func verify(_ options: String..., expecting status: Int32) throws -> (
        findings: [CareFinding], sum: Verified
    ) {
        let end = try program.run(["verify", "--json"] + options)
        #expect(end.status == status, "\(end.output)\(end.errors)")
        let messages = try end.messages
        return (messages.compactMap(\.finding), try #require(messages.last?.verified))
    }

    @Test func aSoundContainerHasNoFindings() throws {
        let (findings, sum) = try verify(expecting: 0)
        #expect(findings.isEmpty)
        #expect(sum.objects == Disk.files(below: folder["container/objects"]).count)
        #expect(sum.hashed == sum.objects && sum.hashedBytes == sum.bytes && sum.orphans == 0)
    }

    @Test(arguments: Damage.allCases)
    func damageIsFoundAndRepaired(_ damage: Damage) throws {
        try damage.strike(object)
        let (findings, sum) = try verify(expecting: 1)
        #expect(findings.map(\.kind) == [damage.kind])
        #expect(findings.first?.object == Digest(of: Self.text))
        #expect(findings.first?.packages.map(\.name) == ["letter.txt"])
        #expect(sum.findings == 1 && sum.mended == 0)
        let mended = try verify("--repair", expecting: 0)
        #expect(mended.findings.map(\.isMended) == [true])
        #expect(try verify(expecting: 0).findings.isEmpty)
        #expect(try Disk.bytes(object) == Array(Self.text.utf8))
        #expect(try Disk.mode(object) == 0o444)
    }

    /// The row of a group has the path of its first file. The others lie beside it.
    @Test(arguments: ["a.jpg", "a.xmp"]) func aFileOfAGroupIsRepaired(_ name: String) throws {
        let files: [String: [UInt8]] = ["a.jpg": [0xFF, 0xD8, 0xFF], "a.xmp": Array("<x:xmpmeta/>".utf8)]
        for (name, bytes) in files { try folder.write("photos/\(name)", bytes) }
        #expect(try program.ingest(folder["photos"], options: ["--no-deliver"]).receipt.source.kind == .group)
        let bytes = try #require(files[name])
        let object = folder["container"].object(of: bytes)
        try Damage.removed.strike(object)
        #expect(try verify("--repair", expecting: 0).findings.map(\.isMended) == [true])
        #expect(try Disk.bytes(object) == bytes)
    }

    /// A missing source, a changed source, and a link to the old source must not be taken for the content.
    @Test(
        arguments: Damage.allCases.filter { $0 != .writable },
        [nil, "other words", "words that matter, and some more of THEM"])
    func unrepairableContentIsLostUntilItIsIngestedAgain(_ damage: Damage, _ source: String?) throws {
        try FileManager.default.removeItem(atPath: folder["in/letter.txt"].string)
        if let source { try folder.write("in/letter.txt", source) }
        try damage.strike(object)
        let finding = try #require(try verify("--repair", expecting: 1).findings.first)
        #expect(finding.kind == damage.kind && !finding.isMended)
        #expect(!FileManager.default.fileExists(atPath: object.string))
        let kept = Disk.names(in: folder["container/quarantine"])
        #expect(kept == (damage == .removed ? [] : [Digest(of: Self.text).description]))
        #expect(try verify("--repair", expecting: 1).findings.map(\.kind) == [.lost])

        let id = try #require(finding.packages.first?.id)
        #expect(try program.run(["show", "--json", id]).receipt.warnings.contains { $0.contains("lost since") })
        try folder.write("again/copy.txt", Self.text)
        #expect(try program.ingest(folder["again"]).receipt.outcome == .duplicate)
        #expect(try verify(expecting: 0).findings.isEmpty)
        #expect(try program.run(["show", "--json", id]).receipt.warnings.isEmpty)
    }

    /// A file that was put back by hand counts as whole after the next repair.
    @Test func aFileThatWasPutBackIsFound() throws {
        try FileManager.default.removeItem(atPath: folder["in/letter.txt"].string)
        try Damage.removed.strike(object)
        _ = try verify("--repair", expecting: 1)
        try Data(Self.text.utf8).write(to: URL(filePath: object.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: object.string)
        #expect(try verify(expecting: 1).findings.map(\.kind) == [.found])
        #expect(try verify("--repair", expecting: 0).findings.map(\.isMended) == [true])
        #expect(try verify(expecting: 0).findings.isEmpty)
    }

    @Test func leftoversAreNoFault() throws {
        let digest = Digest(of: "no row")
        try folder.write("container/objects/\(digest.description.prefix(2))/\(digest)", "no row", mode: 0o444)
        let (findings, sum) = try verify(expecting: 0)
        #expect(findings.isEmpty)
        #expect(sum.orphans == 1 && sum.orphanBytes == 6)
    }

    @Test func unknownFilesAreNamedAndKept() throws {
        let misplaced = "ff/\(Digest(of: []))"
        let names = ["zz/file", "note.txt", "00/.hidden", misplaced]
        for name in names { try folder.write("container/objects/\(name)", "mine") }
        let findings = try verify("--repair", expecting: 1).findings
        #expect(findings.map(\.kind) == Array(repeating: .strange, count: 4))
        #expect(
            findings.compactMap(\.path)
                == ["objects/note.txt", "objects/zz", "objects/00/.hidden", "objects/\(misplaced)"])
        for name in names { #expect(try Disk.bytes(folder["container/objects/\(name)"]) == Array("mine".utf8)) }
    }

    struct Tampering: Sendable {
        var statements: String
        var kind: CareFinding.Kind
    }

    @Test(arguments: [
        Tampering(statements: "DELETE FROM change WHERE seq = 2", kind: .feed),
        Tampering(statements: "PRAGMA foreign_keys = OFF; DELETE FROM object WHERE seq = 1", kind: .row),
        Tampering(statements: "UPDATE provider SET object = NULL WHERE package = 1", kind: .row),
        Tampering(statements: "INSERT INTO object (sha256, size) SELECT sha256, size FROM object LIMIT 1", kind: .row),
        Tampering(statements: "UPDATE object SET size = size + 1 WHERE seq = 1", kind: .size),
    ])
    func inconsistentRowsAreFound(_ tampering: Tampering) throws {
        try SQL.run(folder["container"], tampering.statements)
        #expect(try verify(expecting: 1).findings.map(\.kind) == [tampering.kind])
    }

    /// The bytes decide, not the row. The source is gone, so an object that was moved away would be lost.
    @Test func aWrongRowCostsNoObject() throws {
        try FileManager.default.removeItem(atPath: folder["in/letter.txt"].string)
        for size in ["1", "9223372036854775807"] {
            try SQL.run(folder["container"], "UPDATE object SET size = \(size)")
            #expect(try verify("--sample", "0.000001", expecting: 1).findings.allSatisfy { $0.kind == .size })
            let mended = try verify("--repair", expecting: 0).findings
            #expect(!mended.isEmpty && mended.allSatisfy { $0.kind == .size && $0.isMended })
            #expect(try Disk.bytes(object) == Array(Self.text.utf8))
            #expect(try verify(expecting: 0).findings.isEmpty)
        }
    }

    /// The entry of a live object is missing from an index, and the tables are whole.
    @Test func aDamagedIndexCostsNoObject() throws {
        try SQL.run(folder["container"], Self.loseAnEntry)
        let end = try program.run(["gc", "--grace", "0s"])
        #expect(end.status == 2 && end.errors.contains("sluice verify --repair"), "\(end.errors)")
        let id = try #require(try program.run(["list", "--json"]).messages.first?.package?.id)
        #expect(try program.run(["forget", id]).status == 2)
        #expect(try Disk.bytes(object) == Array(Self.text.utf8))
        #expect(try verify(expecting: 1).findings.contains { $0.kind == .index })
        let mended = try verify("--repair", expecting: 0).findings
        #expect(!mended.isEmpty && mended.allSatisfy { $0.kind == .index && $0.isMended })
        #expect(try verify(expecting: 0).findings.isEmpty)
        #expect(try program.run(["gc", "--grace", "0s"]).status == 0)
        #expect(try Disk.bytes(object) == Array(Self.text.utf8))
    }

    /// Builds the index of the new objects without any entry, and gives it its own definition back.
    private static let loseAnEntry = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'merged IS NULL', 'merged IS NULL AND seq < 0')
            WHERE name = 'object_new';
        PRAGMA writable_schema = RESET;
        REINDEX object_new;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' AND seq < 0', '') WHERE name = 'object_new';
        PRAGMA writable_schema = RESET
        """

    @Test func aDamagedCatalogIsAFinding() throws {
        let catalog = folder["container/catalog.sqlite"]
        try SQL.run(folder["container"], "PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Disk.bytes(catalog)
        // The roots of tables keep their schema; only one leaf of the packages is overwritten.
        let page = try #require(
            Int(try SQL.run(folder["container"], "SELECT rootpage FROM sqlite_schema WHERE name = 'package'")[0]))
        for place in (page - 1) * 4096 + 8..<(page - 1) * 4096 + 200 { bytes[place] = 0xFF }
        try Data(bytes).write(to: URL(filePath: catalog.string))
        let end = try program.run(["verify", "--json"])
        #expect(end.status == 1, "\(end.errors)")
        #expect(try end.messages.compactMap(\.finding).contains { $0.kind == .catalog })
    }

    /// The order does not depend on the number of jobs.
    @Test func findingsComeInOneOrder() throws {
        for number in 0..<300 { try folder.write("many/\(number).txt", "file \(number)") }
        #expect(try program.ingest(folder["many"], options: ["--no-deliver"]).status == 0)
        for number in stride(from: 0, to: 300, by: 3) {
            try Damage.allCases[number % 7].strike(folder["container"].object(of: "file \(number)"))
        }
        let one = try verify("--jobs", "1", expecting: 1).findings
        #expect(one.count == 100)
        #expect(try verify("--jobs", "8", expecting: 1).findings == one)
        #expect(one.compactMap(\.object) == one.compactMap(\.object).sorted())
    }

    @Test func aSampleIsChosenByDigest() throws {
        var options = VerifyOptions()
        let digests = (0..<10_000).map { Digest(of: "\($0)") }
        #expect(digests.allSatisfy(options.samples))
        options.sample = 5
        let chosen = digests.filter(options.samples).count
        #expect((350...650).contains(chosen))
        try Damage.removed.strike(object)
        let (findings, sum) = try verify("--sample", "0.000001", expecting: 1)
        #expect(findings.map(\.kind) == [.missing], "cheap checks cover all objects")
        #expect(sum.hashed == 0)
    }

    @Test(arguments: [["--sample", "0"], ["--sample", "101"], ["--jobs", "0"]])
    func invalidOptionsAreRefused(_ options: [String]) throws {
        #expect(try program.run(["verify"] + options).status == 64)
    }

    @Test func noContainerIsCreated() throws {
        for options in [[], ["--repair"]] {
            let end = try Program(container: folder["nowhere"]).run(["verify"] + options)
            #expect(end.status == 2)
            #expect(!FileManager.default.fileExists(atPath: folder["nowhere"].string))
        }
    }

    @Test func findingsNameTheRemedy() throws {
        try Damage.changed.strike(object)
        let text = try program.run(["verify"]).output
        for words in ["damaged", "letter.txt", "sluice verify --repair"] { #expect(text.contains(words), "\(text)") }
    }
}
