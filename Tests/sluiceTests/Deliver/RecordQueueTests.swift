import GroupContainer
import ShareModel
import Synchronization
import Testing

@testable import Ingestion

/// The queue of records for a listener that may be slow.
@Suite(.timeLimit(.minutes(60))) struct RecordQueueTests {
    private static func ending(_ number: Int, why: String = "from the worker") -> DeliveryEnding {
        let record = DeliveryRecord(id: "\(number)", sink: "mock", outcome: .declined, why: why, attempts: 1)
        return DeliveryEnding(record: record, seq: Int64(number), fence: 1, deaths: 0)
    }

    /// The queue keeps at most three whole records, whatever the listener does, and loses none.
    @Test func aListenerGetsEachRecordInOrderHoweverLateItComes() async throws {
        let queue = RecordQueue(limit: 3)
        // Nothing listens yet, and no call waits.
        for number in 1...100 { queue.append(Self.ending(number)) }
        queue.finish()
        let loaded = Mutex<[Int64]>([])
        var taken: [String] = []
        try await queue.forEach { number in
            loaded.withLock { $0.append(number) }
            return Self.ending(Int(number), why: "from the container").record
        } _: { record in
            taken.append("\(record.id) \(record.why ?? "")")
        }
        let expected = (1...100).map { "\($0) \($0 <= 3 ? "from the worker" : "from the container")" }
        #expect(taken == expected)
        #expect(loaded.withLock { $0 } == (4...100).map(Int64.init))
    }

    /// A listener that keeps up gets the workers' own records.
    @Test func aTakenRecordMakesRoom() async throws {
        let queue = RecordQueue(limit: 1)
        queue.append(Self.ending(1))
        var taken = 0
        try await queue.forEach { _ in
            nil
        } _: { record in
            taken += 1
            #expect(record.why == "from the worker")
            if taken < 50 { queue.append(Self.ending(taken + 1)) } else { queue.finish() }
        }
        #expect(taken == 50)
    }

    @Test func aForgottenDeliveryIsLeftOut() async throws {
        let queue = RecordQueue(limit: 0)
        for number in 1...2 { queue.append(Self.ending(number)) }
        queue.finish()
        var taken: [String] = []
        try await queue.forEach {
            $0 == 1 ? nil : Self.ending(2).record
        } _: {
            taken.append($0.id)
        }
        #expect(taken == ["2"])
    }
}
