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

    /// Damage to a record, and the beginning and the end of the sentence that describes it.
    struct RecordDamage: Sendable, CustomTestStringConvertible {
        var table: String
        var statement: String
        var fault: String
        /// Whether a newer program may have written it.
        var isNew = false

        var testDescription: String { statement }

        static let all = types + words + texts

        private static let made = "seq = (SELECT min(seq) FROM delivery)"
        private static let types = [
            ("package", "UPDATE package SET title = x'FF' WHERE seq = 1", "title"),
            ("package", "UPDATE package SET receipt = x'FF' WHERE seq = 1", "receipt"),
            ("package", "UPDATE package SET bytes = 'many' WHERE seq = 1", "bytes"),
            ("provider", "UPDATE provider SET name = x'FF' WHERE package = 1", "name"),
            ("delivery", "UPDATE delivery SET why = x'FF' WHERE \(made)", "why"),
            (
                "product",
                "INSERT INTO product SELECT min(seq), 90, x'FF', 'a', 'text/plain', 1 FROM delivery", "role"
            ),
        ].map { RecordDamage(table: $0, statement: $1, fault: "'\($2)' holds a value of another type") }

        private static let words = [
            ("package", "UPDATE package SET source_kind = 'dream' WHERE seq = 1", "source_kind"),
            ("package", "UPDATE package SET outcome = 'dream' WHERE seq = 1", "outcome"),
            ("delivery", "UPDATE delivery SET outcome = 'dream' WHERE \(made)", "outcome"),
            ("delivery", "UPDATE delivery SET containment = 'dream' WHERE \(made)", "containment"),
            (
                "sighting",
                """
                INSERT INTO sighting (package, key, source_kind, source_path, received, machine)
                VALUES (1, 1, 'dream', x'2F61', '2026-01-01T00:00:00Z', 1)
                """, "source_kind"
            ),
        ].map { RecordDamage(table: $0, statement: $1, fault: "'\($2)' holds the word 'dream'", isNew: true) }

        private static let texts = [
            RecordDamage(
                table: "package", statement: "UPDATE package SET receipt = substr(receipt, 1, 99) WHERE seq = 1",
                fault: "'receipt' holds torn JSON"),
            RecordDamage(
                table: "package", statement: "UPDATE package SET receipt = '{\"id\": 7}' WHERE seq = 1",
                fault: "'receipt' holds JSON that this program does not know", isNew: true),
            RecordDamage(
                table: "delivery", statement: "UPDATE delivery SET metadata = '{' WHERE \(made)",
                fault: "'metadata' holds torn JSON"),
        ]
    }

    /// Every command goes on without the record, or names it. After its package was forgotten, nothing of it is left.
    @Test(arguments: RecordDamage.all) func aDamagedRecordIsAFinding(_ damage: RecordDamage) throws {
        try SQL.run(folder["container"], damage.statement)
        let findings = try verify(expecting: 1).findings
        #expect(findings.map(\.kind) == [.record])
        let finding = try #require(findings.first)
        #expect(finding.what.hasPrefix("1 record of '\(damage.table)' cannot be read: "), "\(finding.what)")
        #expect(finding.what.contains(damage.fault), "\(finding.what)")
        #expect(finding.remedy.contains("newer program") == damage.isNew, "\(finding.remedy)")
        #expect(finding.remedy.contains("forget") != damage.isNew, "\(finding.remedy)")
        let package = try #require(finding.packages.first)
        #expect(finding.packages.count == 1 && finding.morePackages == 0)
        let commands = [
            ["show", package.id], ["list"], ["library"], ["export", folder["bag"].string],
            ["ingest", "--reread", "--no-deliver", folder["in"].string],
        ]
        for command in commands {
            let end = try program.run(command)
            // A process that crashes has another status.
            #expect([0, 1, 2].contains(end.status), "\(command): \(end.errors)")
            let isNamed = (end.output + end.errors).contains("sluice verify")
            if command[0] != "ingest" { #expect(end.status == 0 || isNamed, "\(command): \(end.errors)") }
        }
        let end = try program.run(["forget", package.id])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try verify(expecting: 0).findings.isEmpty)
    }

    @Test func damagedRecordsAreCounted() throws {
        try SQL.run(folder["container"], "UPDATE package SET receipt = '{'")
        let finding = try #require(try verify(expecting: 1).findings.first)
        #expect(finding.what == "3 records of 'package' cannot be read: its column 'receipt' holds torn JSON")
        #expect(finding.packages.count == 3)
    }

    @Test(arguments: ["receipt = '{'", "title = x'FF', receipt = x'FF'", "receipt = '[]'"])
    func anExportGoesOnWithoutADamagedRecord(_ damage: String) throws {
        let id = try SQL.run(folder["container"], "UPDATE package SET \(damage) WHERE seq = 1 RETURNING id")[0]
        let end = try program.run(["export", "--json", folder["bag"].string])
        #expect(end.status == 1, "\(end.errors)")
        let findings = try end.messages.compactMap(\.finding)
        #expect(findings.map(\.kind) == [.record] && findings[0].packages.map(\.id) == [id])
        #expect(findings[0].what.contains(id.prefix(12)) && findings[0].what.contains("'receipt'"))
        #expect(findings[0].remedy.contains("sluice verify"))
        let sum = try #require(try end.messages.last?.exported)
        #expect(sum.packages == 2 && sum.leftOut == 1)
        let again = Program(container: folder["again"])
        #expect(try again.ingest(folder["bag"], options: ["--no-deliver"]).receipts.count == 2)
    }

    @Test func aListGoesOnAfterADamagedRecord() throws {
        let id = try SQL.run(folder["container"], "UPDATE package SET outcome = 'dream' WHERE seq = 2 RETURNING id")[0]
        let end = try program.run(["list", "--json"])
        #expect(end.status == 1)
        let ids = try end.messages.compactMap(\.package?.id)
        #expect(ids.count == 2 && !ids.contains(id))
        for words in [String(id.prefix(12)), "'dream'", "newer program", "sluice verify"] {
            #expect(end.errors.contains(words), "\(end.errors)")
        }
        #expect(!end.errors.contains("forget"))
        let show = try program.run(["show", id])
        #expect(show.status == 0, "the receipt has its own word: \(show.errors)")
    }

    @Test func theLibraryGoesOnWithoutADamagedRecord() throws {
        try SQL.run(folder["container"], "UPDATE provider SET name = x'FF' WHERE package = 1")
        for run in 1...2 {
            let end = try program.run(["library"])
            #expect(end.status == 1 && end.output.contains("unreadable  record of "), "run \(run): \(end)")
            #expect(end.output.contains("; run sluice verify --container "), "\(end)")
            #expect(Disk.files(below: folder["container/library"]).count == 2)
        }
        try SQL.run(folder["container"], "UPDATE provider SET name = 'mended.txt' WHERE package = 1")
        #expect(try program.run(["library"]).status == 0)
        #expect(Disk.files(below: folder["container/library"]).count == 3)
    }

    /// A package that comes in again does not end the run because of what it was before.
    @Test(arguments: [
        "UPDATE package SET receipt = '{'", "UPDATE delivery SET metadata = '{'", "UPDATE delivery SET deaths = x''",
        "UPDATE delivery SET attempts = '[]'", "UPDATE delivery SET outcome = 'dream'",
        "UPDATE delivery SET fence = 9223372036854775807", "UPDATE package SET outcome = 'dream'",
        "UPDATE package SET run = x'FF'", "UPDATE provider SET name = x'FF'", "UPDATE provider SET type = x'FF'",
        "UPDATE provider SET type = 'dream'",
    ])
    func aRunGoesOnAtADamagedRecord(_ damage: String) throws {
        try SQL.run(folder["container"], damage)
        let end = try program.ingest(folder["in"], options: ["--reread", "--no-deliver"])
        #expect(try end.receipts.map(\.outcome) == [.duplicate, .duplicate, .duplicate], "\(end.errors)")
        let count = "SELECT count(*) FROM delivery"
        #expect(try SQL.run(folder["container"], count) == ["3"], "no delivery is opened a second time")
        // Without `--reread`, the files are recognized, or read because they cannot be.
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
    }

    /// The package of the damaged row comes in anew, and the others are duplicates.
    @Test func aRunGoesOnAtADamagedIdentifier() throws {
        try SQL.run(folder["container"], "UPDATE package SET id = x'FF' WHERE seq = 1")
        let end = try program.ingest(folder["in"], options: ["--reread", "--no-deliver"])
        #expect(try end.receipts.map(\.outcome) == [.accepted, .duplicate, .duplicate], "\(end.errors)")
    }

    @Test func impossibleNumbersOfChangesAreAFinding() throws {
        try SQL.run(folder["container"], "UPDATE change SET seq = -9223372036854775808 WHERE seq = 1")
        for options in [[], ["--repair"]] {
            let end = try program.run(["verify", "--json"] + options)
            #expect(end.status == 1, "\(end)")
            #expect(try end.messages.compactMap(\.finding).map(\.kind) == [.feed], "\(end)")
        }
    }

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

    @Test func theHintOfAModeIsTheModeOfAnObject() throws {
        let mode = String(try Disk.mode(object), radix: 8)
        try Damage.writable.strike(object)
        let text = try program.run(["verify"]).output
        #expect(text.contains("or chmod \(mode) the file"), "\(text)")
    }
}
