import GRDB
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// The work of a library run grows with the number of new pieces, even if all of them have the same name.
@Suite struct LibraryScaleTests {
    /// The number of disk operations, and of SQL statements, that one piece may cost.
    private static let most = 40

    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder(inMemory: true)
        container = try Container.open(at: folder["container"])
    }

    /// Content without a name gets one of a few names, so thousands of pieces may share one.
    @Test func equalNamesCostNoMoreThanOthers() throws {
        let count = 5_000
        try takeIn(count)
        // More operations end the run with an error.
        let schedule = FaultSchedule(.crash, at: Self.most * count)
        let (database, statements) = try watchedDatabase()
        var librarian = Librarian(container, database, FaultyFileSystem(schedule)) { LibraryScene.name(of: $0) }
        #expect(try librarian.run(rebuilding: false).added == count)
        #expect(!schedule.isHit)
        #expect(statements.count < Self.most * count)
        print("library: \(schedule.count) calls and \(statements.count) statements for \(count) pieces of one name")
        let numbered = "CASE package WHEN 1 THEN 'documents/link' ELSE 'documents/link (' || package || ')' END"
        #expect(try SQL.run(folder["container"], "SELECT count(*) FROM shelf WHERE path = \(numbered)") == ["\(count)"])
    }

    private func takeIn(_ count: Int) throws {
        try LibraryScene.takeIn(container, "first", "one", name: "link")
        for start in stride(from: 2, through: count, by: 500) {
            let proposals = (start...min(start + 499, count)).map { number in
                var proposal = PackageProposal.accepted("a\(number)", ["one"], path: FilePath("/in/\(number)"))
                proposal.receipt.providers[0].name = "link"
                return proposal
            }
            _ = try container.catalog.commit(proposals)
        }
    }

    /// A connection to the catalog that counts its statements.
    private func watchedDatabase() throws -> (CatalogDatabase, StatementCount) {
        let database = try CatalogDatabase(writing: container.layout.catalog, isNew: false)
        let statements = StatementCount()
        // A pool reads through other connections than the one that writes, so both are traced.
        try database.read { database in database.trace { _ in statements.add() } }
        try database.write { database in database.trace { _ in statements.add() } }
        return (database, statements)
    }
}

private final class StatementCount: Sendable {
    private let all = Mutex(0)

    var count: Int { all.withLock { $0 } }

    func add() { all.withLock { $0 += 1 } }
}
