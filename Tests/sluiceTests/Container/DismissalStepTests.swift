import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// A sink may have any number of deliveries, and every other writer waits for a transaction.
@Suite struct DismissalStepTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test func aDismissalHasSeveralTransactions() throws {
        let root = folder["container"]
        let container = try Container.open(at: root)
        let (step, count) = (SQLiteDeliveryQueue.stepLimit, SQLiteDeliveryQueue.stepLimit + 200)
        _ = try container.catalog.commit(
            (0..<count).map { .accepted("a\($0)", ["content \($0)"], path: FilePath("/in/\($0)"), sinks: ["s"]) })
        try SQL.script(
            root,
            """
            CREATE TRIGGER broken BEFORE UPDATE ON delivery
            WHEN (SELECT count(*) FROM delivery WHERE outcome = 'declined') > \(step + 100) BEGIN
                SELECT RAISE(ABORT, 'broken');
            END;
            """)
        #expect(throws: ContainerError.self) { try container.deliveries.dismiss(["s"]) }
        let declined = try SQL.run(root, "SELECT count(*) FROM delivery WHERE outcome = 'declined'")
        #expect(declined == ["\(step)"], "the first transaction is durable")
        try SQL.run(root, "DROP TRIGGER broken")
        #expect(try container.deliveries.dismiss(["s"]) == count - step)
        #expect(try container.deliveries.open().isEmpty)
    }

    /// One delivery may have several of the names. Nothing is left to do for the later ones then, and that is no error.
    @Test func aDeliveryMayBeNamedTwice() throws {
        let container = try Container.open(at: folder["container"])
        _ = try container.catalog.commit([.accepted("a1", ["one"], sinks: ["s", "t"])])
        let queue = container.deliveries
        #expect(try queue.dismiss(["s", "a1-s", "s"]) == 1)
        #expect(throws: ContainerError.self) { try queue.dismiss(["t", "a1-s"]) }
        #expect(try queue.open().map(\.sink) == ["t"], "nothing is changed before each name is checked")
        try queue.reopen(["a1-s", "a1-s"])
        #expect(try queue.open().map(\.sink) == ["s", "t"])
    }
}
