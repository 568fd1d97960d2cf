import Dispatch
import ShareModel
import Synchronization
import Testing

@testable import Ingestion

/// The queue of records for a listener that may be slow.
@Suite(.timeLimit(.minutes(1))) struct RecordQueueTests {
    private static func record(_ number: Int) -> DeliveryRecord {
        DeliveryRecord(id: "\(number)", sink: "mock", outcome: .delivered, why: nil, attempts: 1)
    }

    /// Appends on a thread of its own.
    private final class Writer: Sendable {
        let appended = Atomic(0)

        func write(_ count: Int, to queue: RecordQueue, finishes: Bool) {
            DispatchQueue(label: "writer").async { [self] in
                for number in 1...count {
                    queue.append(RecordQueueTests.record(number))
                    appended.add(1, ordering: .sequentiallyConsistent)
                }
                if finishes { queue.finish() }
            }
        }

        var count: Int { appended.load(ordering: .sequentiallyConsistent) }
    }

    @Test func aWriterIsNeverFurtherAheadThanTheLimit() async {
        let (queue, writer) = (RecordQueue(limit: 3), Writer())
        writer.write(100, to: queue, finishes: true)
        var (taken, ahead) = (0, 0)
        await queue.forEach { record in
            taken += 1
            #expect(record.id == "\(taken)")
            for _ in 0..<10 { await Task.yield() }
            ahead = max(ahead, writer.count - taken)
        }
        #expect(taken == 100)
        #expect(ahead <= 3)
    }

    /// A stopped run does not wait for its listener.
    @Test func aLiftedQueueLetsAllWritersGoOn() async {
        let (queue, writers) = (RecordQueue(limit: 1), [Writer(), Writer()])
        for writer in writers { writer.write(20, to: queue, finishes: false) }
        while writers.reduce(0, { $0 + $1.count }) < 1 { await Task.yield() }
        queue.lift()
        while writers.reduce(0, { $0 + $1.count }) < 40 { await Task.yield() }
        queue.finish()
        var taken = 0
        await queue.forEach { _ in taken += 1 }
        #expect(taken == 40)
    }
}
