internal import Files
internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// Passes the recorded endings of deliveries from the workers' threads to one listener, which may be slow.
///
/// No thread waits for the listener. Memory stays small all the same: if the records would need more than the limit, the
/// queue keeps only the number of the delivery, and reads its record from the container when the listener takes it.
final class RecordQueue: Sendable {
    private enum Entry {
        case record(DeliveryReport, memory: Int)
        case number(Int64)
    }

    private let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let limit: Int
    /// The memory of the whole records in the queue, in bytes.
    private let held = Atomic(0)

    /// - Parameter limit: the most memory for whole records in the queue, in bytes, as ``DeliveryRecord/memory`` counts it.
    init(limit: Int) {
        self.limit = limit
        (entries, continuation) = AsyncStream.makeStream(of: Entry.self)
    }

    /// Appends an ending that is on record.
    ///
    /// - Parameters:
    ///   - package: the identifier of its package.
    ///   - name: the name of its content, or the address of a link.
    func append(_ ending: DeliveryEnding, of package: String? = nil, name: String?) {
        let memory = ending.record.memory + (package?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
        guard held.add(memory, ordering: .relaxed).newValue <= limit else {
            held.subtract(memory, ordering: .relaxed)
            continuation.yield(.number(ending.seq))
            return
        }
        continuation.yield(
            .record(DeliveryReport(record: ending.record, package: package, name: name), memory: memory))
    }

    /// Announces that no more records come.
    func finish() { continuation.finish() }

    /// Calls `body` with each record until ``finish()``, in the order of the calls to ``append(_:)``. For one caller.
    ///
    /// - Parameter load: reads the present record of a delivery, and may block; `nil` if its package was forgotten. Such a
    ///   delivery is left out.
    /// - Throws: an error of `load`.
    func forEach(
        _ load: @escaping @Sendable (Int64) throws -> DeliveryRecord?, _ body: (DeliveryReport) async -> Void
    ) async throws {
        for await entry in entries {
            switch entry {
            case .record(let report, let memory):
                held.subtract(memory, ordering: .relaxed)
                await body(report)
            case .number(let number):
                if let record = try await BlockingCall.run({ try load(number) }) {
                    await body(DeliveryReport(record: record))
                }
            }
        }
    }
}

extension DeliveryRecord {
    /// About the memory of this record, in bytes; rather too much than too little.
    var memory: Int {
        let texts = [id, sink, why ?? "", due ?? ""].reduce(0) { $0 + $1.utf8.count }
        let files = products.reduce(0) { sum, file in
            sum + MemoryLayout<Product>.stride
                + [file.role, file.name, file.type.description].reduce(0) { $0 + $1.utf8.count + 32 }
        }
        return MemoryLayout<Self>.size + texts + files + (metadata?.memory ?? 0)
    }
}
