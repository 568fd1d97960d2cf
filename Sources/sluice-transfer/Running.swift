import Synchronization
import Transfers

/// The requests of a connection that have not ended, by their numbers.
final class Running: Sendable {
    private let tasks = Mutex<[Int64: Task<RequestEnd, Never>]>([:])

    func add(_ task: Task<RequestEnd, Never>, _ number: Int64) { tasks.withLock { $0[number] = task } }

    func remove(_ number: Int64) { tasks.withLock { $0[number] = nil } }

    func cancel(_ number: Int64) { tasks.withLock { $0[number] }?.cancel() }

    func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }
}
