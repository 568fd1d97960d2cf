import Synchronization

/// What somebody was told to be safe.
final class Acknowledgments: Sendable {
    private let all = Mutex<Set<String>>([])

    var ids: Set<String> { all.withLock { $0 } }

    func add(_ id: String) { _ = all.withLock { $0.insert(id) } }
}
