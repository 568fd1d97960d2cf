import Synchronization

/// The program's report of a package or a delivery.
enum Acknowledgment: Sendable {
    /// It is stored durably.
    case kept(String)
    /// It is about to be forgotten, and is no longer guaranteed.
    case withdrawn(String)
}

/// The packages and deliveries that the program reported as durable.
final class Acknowledgments: Sendable {
    private let all = Mutex<Set<String>>([])

    var ids: Set<String> { all.withLock { $0 } }

    func add(_ acknowledgment: Acknowledgment) { all.withLock { $0.take(acknowledgment) } }
}

extension Set<String> {
    mutating func take(_ acknowledgment: Acknowledgment) {
        switch acknowledgment {
        case .kept(let id): insert(id)
        case .withdrawn(let id): remove(id)
        }
    }
}
