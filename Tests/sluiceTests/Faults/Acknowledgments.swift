import Synchronization

/// What somebody is told of a package or a delivery.
enum Acknowledgment: Sendable {
    /// It is safe.
    case kept(String)
    /// It is about to be forgotten: nobody may rely on it any more.
    case withdrawn(String)
}

/// What somebody was told to be safe.
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
