internal import Files
internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// Passes the recorded endings of deliveries from the workers' threads to one listener, which may be slow.
///
/// No thread waits for the listener. Memory stays small all the same: above the limit, the queue keeps only the numbers
/// of the deliveries, and reads their records from the container when the listener takes them.
final class RecordQueue: Sendable {
    private enum Entry {
        case record(DeliveryRecord)
        case number(Int64)
    }

    private let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let limit: Int
    /// The number of whole records in the queue.
    private let records = Atomic(0)

    /// - Parameter limit: the most whole records in the queue.
    init(limit: Int) {
        self.limit = limit
        (entries, continuation) = AsyncStream.makeStream(of: Entry.self)
    }

    /// Appends an ending that is on record.
    func append(_ ending: DeliveryEnding) {
        guard records.add(1, ordering: .relaxed).newValue <= limit else {
            records.subtract(1, ordering: .relaxed)
            continuation.yield(.number(ending.seq))
            return
        }
        continuation.yield(.record(ending.record))
    }

    /// Announces that no more records come.
    func finish() { continuation.finish() }

    /// Calls `body` with each record until ``finish()``, in the order of the calls to ``append(_:)``. For one caller.
    ///
    /// - Parameter load: reads the present record of a delivery, and may block; `nil` if its package was forgotten. Such a
    ///   delivery is left out.
    /// - Throws: an error of `load`.
    func forEach(
        _ load: @escaping @Sendable (Int64) throws -> DeliveryRecord?, _ body: (DeliveryRecord) async -> Void
    ) async throws {
        for await entry in entries {
            switch entry {
            case .record(let record):
                records.subtract(1, ordering: .relaxed)
                await body(record)
            case .number(let number):
                if let record = try await BlockingCall.run({ try load(number) }) { await body(record) }
            }
        }
    }
}
