import CSQLite
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer
@testable import SQLite

/// The work of a library run grows with the number of new pieces, even if all of them have the same name.
@Suite struct LibraryScaleTests {
    /// The number of disk operations, and of SQL statements, that one piece may cost.
    private static let most = 40

    /// Content without a name gets one of a few names, so thousands of pieces may share one.
    @Test func equalNamesCostNoMoreThanOthers() throws {
        let (few, many) = (try cost(of: 100), try cost(of: 400))
        print("library: \(few) for 100 pieces of one name, \(many) for 400")
        // Work that is quadratic in the equal names would grow by 16 times.
        #expect(many.calls < 5 * few.calls)
        #expect(many.statements < 5 * few.statements)
        for cost in [few, many] { #expect(max(cost.calls, cost.statements) < Self.most * cost.pieces) }
    }

    private struct Cost: CustomStringConvertible {
        let pieces: Int
        let calls: Int
        let statements: Int

        var description: String { "\(calls) calls and \(statements) statements" }
    }

    /// The disk operations and the SQL statements of a run with new pieces of one name.
    private func cost(of count: Int) throws -> Cost {
        let folder = try TestFolder(inMemory: true)
        let container = try Container.open(at: folder["container"])
        try takeIn(container, count)
        // The schedule only counts.
        let schedule = FaultSchedule(.crash, at: .max)
        let (database, statements) = try watchedDatabase(container)
        var librarian = try Librarian(
            LocalContainer(folder["container"], makes: false, FaultyFileSystem(schedule)), database
        ) { piece, _ in LibraryScene.name(of: piece) }
        #expect(try librarian.run(rebuilding: false).added == count)
        let numbered = "CASE package WHEN 1 THEN 'documents/link' ELSE 'documents/link (' || package || ')' END"
        #expect(try SQL.run(folder["container"], "SELECT count(*) FROM shelf WHERE path = \(numbered)") == ["\(count)"])
        return Cost(pieces: count, calls: schedule.count, statements: statements.count)
    }

    private func takeIn(_ container: Container, _ count: Int) throws {
        try LibraryScene.takeIn(container, "first", "one", name: "link")
        let proposals = (2...count).map { number in
            var proposal = PackageProposal.accepted("a\(number)", ["one"], path: FilePath("/in/\(number)"))
            proposal.receipt.providers[0].name = "link"
            return proposal
        }
        _ = try container.catalog.commit(proposals)
    }

    /// A connection to the catalog that counts its statements.
    private func watchedDatabase(_ container: Container) throws -> (CatalogDatabase, StatementCount) {
        let database = try CatalogDatabase(writing: container.layout.catalog, isNew: false)
        let statements = StatementCount()
        // A pool reads through other connections than the one that writes, so both are traced.
        try database.read { $0.count(in: statements) }
        try database.write { $0.count(in: statements) }
        return (database, statements)
    }
}

extension Database {
    /// Counts each run of a statement. The count must exist as long as the connection.
    fileprivate func count(in count: StatementCount) {
        sqlite3_trace_v2(
            handle, CUnsignedInt(SQLITE_TRACE_STMT),
            { _, count, _, _ in
                count.map { Unmanaged<StatementCount>.fromOpaque($0).takeUnretainedValue().add() }
                return 0
            }, Unmanaged.passUnretained(count).toOpaque())
    }
}

private final class StatementCount: Sendable {
    private let all = Mutex(0)

    var count: Int { all.withLock { $0 } }

    func add() { all.withLock { $0 += 1 } }
}
