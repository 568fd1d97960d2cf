import ShareModel
import SinkHost
import SinkKit
import Testing

@testable import GroupContainer
@testable import Ingestion

/// A run reports only the endings that are on record. Another run may have taken a delivery over, or its package may be
/// forgotten.
@Suite struct StaleEndingTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder(inMemory: true)
        _ = try open().catalog.commit([.accepted("a1", ["one"], sinks: ["s"]), .accepted("a2", ["two"], sinks: ["s"])])
    }

    /// Each open container has an owner of its own, as each process has.
    private func open() throws -> Container { try Container.open(at: folder["container"]) }

    private func store() throws -> DeliveryStore {
        let sink = SinkManifest(id: "s", version: "1", command: ["s"], accepts: [])
        return DeliveryStore(container: try open(), sink: sink, limits: DeliveryLimits(), clock: .system)
    }

    private func ended(_ claimed: [ClaimedDelivery], _ outcome: DeliveryOutcome) -> [FinishedDelivery] {
        claimed.map { FinishedDelivery($0, outcome, why: "\(outcome)", nil) }
    }

    @Test func anEndingOfAnOldOwnerIsDroppedAndNotReported() throws {
        let (old, new) = (try store(), try store())
        let first = try old.claim()
        let second = try new.claim()
        #expect(first.map(\.id) == second.map(\.id))
        #expect(try old.complete(ended(first, .failed)).recorded.isEmpty)
        let recorded = try new.complete(ended(second, .delivered)).recorded
        #expect(recorded.map(\.ending.record.outcome) == [.delivered, .delivered])
        #expect(try old.complete(ended(first, .failed)).recorded.isEmpty, "also after the new owner's ending")
        let outcomes = try SQL.run(folder["container"], "SELECT DISTINCT outcome FROM delivery")
        #expect(outcomes == ["delivered"])
    }

    @Test func theOtherEndingsOfTheSameCommitAreReported() throws {
        let (old, new) = (try store(), try store())
        let first = try old.claim()
        let second = try new.claim()
        let third = try old.claim()
        #expect(try new.complete(ended(second, .delivered)).recorded.isEmpty)
        let mixed = first.filter { $0.id == "a1-s" } + third.filter { $0.id == "a2-s" }
        #expect(try old.complete(ended(mixed, .declined)).recorded.map(\.ending.record.id) == ["a2-s"])
    }

    /// Their rows are durable, and no later run has anything to say about them.
    @Test func endingsBeforeAFailedTransactionAreReported() throws {
        try SQL.script(
            folder["container"],
            """
            CREATE TRIGGER broken BEFORE UPDATE ON delivery WHEN new.id = 'a2-s' AND new.outcome = 'delivered'
            BEGIN SELECT RAISE(ABORT, 'broken'); END;
            """)
        let store = try store()
        var finished = ended(try store.claim(), .delivered)
        // The first one fills a transaction.
        finished[0].ending.record.metadata = .string(
            String(repeating: "w", count: SQLiteDeliveryQueue.transactionBytes))
        let (recorded, failure) = try store.complete(finished)
        #expect(recorded.map(\.ending.record.id) == ["a1-s"])
        #expect(failure is ContainerError)
        #expect(throws: ContainerError.self) { _ = try store.complete(Array(finished.dropFirst())) }
    }
}
