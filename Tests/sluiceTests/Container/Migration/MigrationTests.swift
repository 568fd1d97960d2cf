import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// A container of an older format can be read without changes. Only `migrate` migrates it; other writers refuse it.
@Suite struct MigrationTests {
    static let formats = 1..<ContainerLayout.version
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }
    private var program: Program { Program(container: root) }

    init() throws { folder = try TestFolder() }

    private func putContainer(_ version: Int) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/containers/version-\(version)").standardizedFileURL
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: root.string))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: root.string)
    }

    /// Without the write-ahead log and its index, which readers leave too.
    private var names: [String] { Disk.names(in: root).filter { !$0.hasPrefix("catalog.sqlite-") } }

    /// The output of `list` and `show`.
    private func story() throws -> [String] {
        let list = try program.run(["list", "--json"])
        #expect(list.status == 0, "\(list.errors)")
        let ids = try list.messages.compactMap(\.package?.id)
        return [list.output] + (try ids.map { try program.run(["show", "--json", $0]).output })
    }

    @Test(arguments: formats) func isReadUnchanged(_ version: Int) throws {
        try putContainer(version)
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let story = try story()
        #expect(story.count == (version < 5 ? 13 : 17))
        #expect(!story.contains(""))
        #expect(try program.run(["search", "letter"]).output.contains("letter.docx"))
        let changes = try program.run(["changes"])
        #expect(version == 1 ? changes.errors.contains("sluice migrate") : changes.output.hasPrefix("1  package"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        #expect(names == ["catalog.sqlite", "format", "objects"])
    }

    @Test(arguments: formats, [["ingest", "-"], ["deliver"], ["changes", "--as", "me", "--ack", "1"]])
    func isRefusedForWriting(_ version: Int, _ command: [String]) throws {
        try putContainer(version)
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let end = try program.run(command, input: "{}")
        #expect(end.status == 2)
        #expect(end.errors.contains("sluice migrate"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        #expect(names == ["catalog.sqlite", "format", "objects"])
    }

    @Test(arguments: formats) func aMigrationChangesNoOutput(_ version: Int) throws {
        try putContainer(version)
        let before = try story()
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
        #expect(!Disk.names(in: root).contains { $0.hasPrefix("catalog.sqlite.") })
        #expect(try program.run(["search", "letter"]).output.contains("letter.docx"))
        #expect(try program.run(["changes"]).output.hasPrefix("1  package"))
        #expect(try program.run(["migrate"]).output.contains("already"))
    }

    @Test(arguments: formats) func migratedContentIsRecognized(_ version: Int) throws {
        try putContainer(version)
        _ = try program.run(["migrate"])
        let container = try Container.open(at: root)
        let receipt = try #require(
            try CatalogReader(reading: root).allReceipts().first { $0.outcome == .accepted && $0.groups.count == 1 })
        let settled = try container.catalog.commit([
            PackageProposal(
                receipt: receipt, senderID: nil, sourcePath: nil, received: "2026-01-01T00:00:00Z", run: "again")
        ])
        #expect(settled.map(\.outcome) == [.duplicate])
        #expect(settled.map(\.storedBytes) == [0])
    }

    /// A machine that opens the container after the migration does not become the machine of the old packages.
    @Test(arguments: formats.filter { $0 < 5 }) func oldPackagesBelongToTheMachineThatMigrates(_ version: Int) throws {
        try putContainer(version)
        _ = try FormatMigration.run(root, machine: "here")
        _ = try Container.open(at: root, machine: "elsewhere")
        let machines = "SELECT number || ' ' || id FROM machine ORDER BY number"
        #expect(try SQL.run(root, machines) == ["1 here", "2 elsewhere"])
    }

    /// A migration on a full Btrfs would be killed otherwise.
    @Test func theIndexOfTheLogIsMadeBefore() throws {
        try putContainer(1)
        let made = Mutex<[FilePath]>([])
        var fileSystem = HookedFileSystem()
        fileSystem.beforeOverwritable = { path in made.withLock { $0.append(path) } }
        #expect(try FormatMigration.run(root, machine: nil, fileSystem: fileSystem)?.version == 1)
        let index = root.appending("catalog.sqlite-shm")
        #expect(made.withLock { $0 } == [index, index], "each time that the catalog is opened")
    }

    /// A duplicate of an older format has only a sentence with the beginning of an identifier.
    @Test func duplicatesFollowTheirDeliveries() throws {
        try putContainer(5)
        _ = try program.run(["migrate"])
        let followers = """
            SELECT owner.title, delivery.outcome, leader.outcome, delivery.why FROM delivery
                JOIN delivery AS leader ON leader.seq = delivery.leader JOIN package AS owner ON owner.seq = delivery.package
            ORDER BY delivery.seq
            """
        #expect(
            try SQL.run(root, followers) == [
                "The same river|duplicate|delivered|None", "The same lake|duplicate|pending|None",
            ])
        let open = try program.run(["list", "--json"]).messages.compactMap(\.package).suffix(2).map(\.id)
        func outcomes() throws -> [DeliveryOutcome] {
            try open.flatMap { try program.run(["show", "--json", $0]).receipt.providers.flatMap(\.deliveries) }.map(
                \.outcome)
        }
        #expect(try outcomes() == [.pending, .pending])
        #expect(try program.run(["deliver"]).status == 0)
        #expect(try outcomes() == [.delivered, .duplicate])
    }

    /// The feed of an older format has the identifiers of forgotten packages.
    @Test func aPackageForgottenBeforeIsSkippedByAWalk() throws {
        try putContainer(5)
        _ = try program.run(["migrate"])
        let file = try folder.write("in/secret.txt", "forgotten words\n")
        #expect(try program.ingest(folder["in"]).receipt.outcome == .skipped)
        #expect(try program.ingest(file).receipt.outcome == .accepted)
    }

    /// Only the path is known of the first arrival of an older package.
    @Test(arguments: formats) func theFirstArrivalOfAnOldPackageIsNoSighting(_ version: Int) throws {
        try putContainer(version)
        _ = try program.run(["migrate"])
        let container = try Container.open(at: root)
        let old = try #require(
            try CatalogReader(reading: root).allReceipts().first { $0.outcome == .accepted && $0.source.kind == .file })
        for (path, count) in [(old.source.filePath, 0), ("/elsewhere", 1), ("/elsewhere", 1)] {
            var receipt = old
            receipt.source = .init(kind: .file, path: path)
            let proposal = PackageProposal(
                receipt: receipt, senderID: nil, sourcePath: path, received: "2026-01-01T00:00:00Z", run: "again")
            #expect(try container.catalog.commit([proposal])[0].outcome == .duplicate)
            #expect(try container.catalog.receipt(old.id).sightings?.count ?? 0 == count)
        }
    }

    private static func reopening(_ version: Int) -> String {
        "UPDATE delivery SET outcome = 'pending'\(version < 3 ? ", run = NULL" : "") WHERE sink = 'image-import'"
    }

    /// The catalog as unreleased programs between two formats left it.
    private static let retries = """
        ALTER TABLE delivery DROP COLUMN run;
        ALTER TABLE delivery ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE delivery ADD COLUMN containment TEXT;
        DROP INDEX delivery_open;
        CREATE INDEX delivery_open ON delivery (sink, due) WHERE outcome = 'pending';
        CREATE TABLE held_sink (sink TEXT PRIMARY KEY NOT NULL, failures INTEGER NOT NULL, due INTEGER NOT NULL,
            why TEXT NOT NULL) WITHOUT ROWID;
        """

    private func change(_ sql: String) throws {
        try SQL.script(root, sql)
    }

    /// All steps run in one transaction. An error in a late step must leave the catalog unchanged.
    @Test(arguments: formats) func aMigrationThatFailsChangesNothing(_ version: Int) throws {
        try putContainer(version)
        let before = try story()
        // The step to format 3 makes the table of deliveries anew, so a column does not stay in the way.
        let (put, remove) =
            version < 7
            ? ("CREATE TABLE tag (in_the_way)", "DROP TABLE tag")
            : ("ALTER TABLE delivery ADD COLUMN account", "ALTER TABLE delivery DROP COLUMN account")
        try change(put)
        for _ in 1...2 {
            #expect(try program.run(["migrate"]).status == 2)
            #expect(try SQL.run(root, "SELECT identifier FROM grdb_migrations") == (1...version).map(String.init))
        }
        try change(remove)
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
    }

    /// The migrated schema has no trace of the older format.
    @Test(arguments: formats) func aMigratedCatalogEqualsANewOne(_ version: Int) throws {
        try putContainer(version)
        _ = try program.run(["migrate"])
        _ = try Container.open(at: folder["new"])
        let schema = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1"
        #expect(try SQL.run(root, schema) == SQL.run(folder["new"], schema))
        let leads = """
            SELECT count(*) FROM delivery LEFT JOIN provider
                ON provider.package = delivery.package AND provider.place = delivery.lead
            WHERE delivery.object IS NULL OR delivery.object IS NOT provider.object
            """
        #expect(try SQL.run(root, leads) == ["0"], "each delivery names its leading object")
    }

    @Test func aCatalogBetweenTwoFormatsIsMigrated() throws {
        try putContainer(2)
        let before = try story()
        try change(Self.retries)
        #expect(try story() == before)
        #expect(try program.run(["deliver"]).errors.contains("sluice migrate"))
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
        #expect(try program.run(["deliver"]).status == 0)
    }

    @Test(arguments: formats) func openDeliveriesCanBeDriven(_ version: Int) throws {
        try putContainer(version)
        try change(Self.reopening(version))
        _ = try program.run(["migrate"])
        let container = try Container.open(at: root)
        let claimed = try container.claim(sink: "image-import", now: 0, limit: 100)
        #expect(!claimed.isEmpty)
        for delivery in claimed {
            let group = try #require(try delivery.receipt().groups.first { $0.providers.first == delivery.lead })
            #expect(delivery.payload.split(separator: " ").count == group.providers.count)
            #expect(delivery.payload.hasPrefix("content"))
        }
        #expect(try program.run(["deliver"]).status == 0)
    }

    @Test(arguments: formats) func isRefusedWhileAnotherProcessWrites(_ version: Int) throws {
        try putContainer(version)
        try FileManager.default.createDirectory(
            atPath: root.appending("tmp/1-1").string, withIntermediateDirectories: true)
        let before = try Disk.bytes(root.appending("catalog.sqlite"))
        let writer = try KernelLock(folder: root.appending("tmp/1-1"), SystemFileSystem())
        let end = try program.run(["migrate"])
        #expect(end.status == 2)
        #expect(end.errors.contains("another process"))
        #expect(try Disk.bytes(root.appending("catalog.sqlite")) == before)
        withExtendedLifetime(writer) {}
    }

    /// A crash after the catalog's transaction and before `format` is replaced.
    @Test(arguments: formats) func aHalfMigrationIsReadAndFinished(_ version: Int) throws {
        try putContainer(version)
        let before = try story()
        let format = try Disk.bytes(root.appending("format"))
        _ = try program.run(["migrate"])
        try Data(format).write(to: URL(filePath: root.appending("format").string))
        try folder.write("container/catalog.sqlite.version-\(version)", "left behind")
        #expect(try story() == before)
        #expect(try program.run(["deliver"]).errors.contains("sluice migrate"))
        #expect(try program.run(["migrate"]).status == 0)
        #expect(try story() == before)
        #expect(!Disk.names(in: root).contains("catalog.sqlite.version-\(version)"))
    }
}

extension CatalogReader {
    fileprivate func allReceipts() throws -> [Receipt] {
        var ids: [String] = []
        try forEachPackage { ids.append($0.id) }
        return try ids.map(receipt)
    }
}
