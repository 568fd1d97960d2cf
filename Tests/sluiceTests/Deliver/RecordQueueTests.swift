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

    /// The memory of one of the longest of these records.
    private static let memory = ending(100).record.memory

    /// The queue keeps only the whole records that fit, whatever the listener does, and loses none.
    @Test func aListenerGetsEachRecordInOrderHoweverLateItComes() async throws {
        let queue = RecordQueue(limit: 3 * (Self.memory + 5))
        // Nothing listens yet, and no call waits.
        for number in 1...100 { queue.append(Self.ending(number), name: "a.txt") }
        queue.finish()
        let loaded = Mutex<[Int64]>([])
        var taken: [String] = []
        try await queue.forEach { number in
            loaded.withLock { $0.append(number) }
            return Self.ending(Int(number), why: "from the container").record
        } _: { report in
            taken.append("\(report.record.id) \(report.record.why ?? "") \(report.name ?? "without a name")")
        }
        let (whole, loadedAgain) = ("from the worker a.txt", "from the container without a name")
        let expected = (1...100).map { "\($0) \($0 <= 3 ? whole : loadedAgain)" }
        #expect(taken == expected)
        #expect(loaded.withLock { $0 } == (4...100).map(Int64.init))
    }

    /// A listener that keeps up gets the workers' own records.
    @Test func aTakenRecordMakesRoom() async throws {
        let queue = RecordQueue(limit: Self.memory)
        queue.append(Self.ending(1), name: nil)
        var taken = 0
        try await queue.forEach { _ in
            nil
        } _: { report in
            taken += 1
            #expect(report.record.why == "from the worker")
            if taken < 50 { queue.append(Self.ending(taken + 1), name: nil) } else { queue.finish() }
        }
        #expect(taken == 50)
    }

    private static let long = String(repeating: "x", count: 1_000)

    /// A record's metadata counts toward the limit: its texts, its keys and its nested values.
    @Test(
        arguments: [
            .string(long), .object([long: .null]), .array(.init(repeating: .null, count: 1_000)),
            .object(["pages": .array([.string(long)])]),
        ] as [JSONValue])
    func metadataCounts(_ metadata: JSONValue) async throws {
        var large = Self.ending(1)
        large.record.metadata = metadata
        try await expectTooLarge(large)
    }

    @Test func reasonsAndProductsCount() async throws {
        try await expectTooLarge(Self.ending(1, why: Self.long))
        var large = Self.ending(1)
        let type: MediaType = "text/plain"
        for name in [Self.long, "short"] {
            let product = DeliveryRecord.Product(
                role: "preview", name: name, type: type, sha256: Digest(of: []), size: 1)
            large.record.products = .init(repeating: product, count: name == "short" ? 10 : 1)
            try await expectTooLarge(large)
        }
    }

    /// Expects that the first delivery does not fit beside a limit of 900 bytes more than the second one needs.
    private func expectTooLarge(_ large: DeliveryEnding) async throws {
        let queue = RecordQueue(limit: Self.memory + 900)
        queue.append(large, name: nil)
        queue.append(Self.ending(2), name: nil)
        queue.finish()
        var loaded: [Int64] = []
        try await queue.forEach {
            Self.ending(Int($0), why: "from the container").record
        } _: { report in
            let record = report.record
            if record.why == "from the container", let number = Int64(record.id) { loaded.append(number) }
        }
        #expect(loaded == [1])
    }

    @Test func aForgottenDeliveryIsLeftOut() async throws {
        let queue = RecordQueue(limit: 0)
        for number in 1...2 { queue.append(Self.ending(number), name: "a.txt") }
        queue.finish()
        var taken: [String] = []
        try await queue.forEach {
            $0 == 1 ? nil : Self.ending(2).record
        } _: {
            taken.append($0.record.id)
        }
        #expect(taken == ["2"])
    }
}
