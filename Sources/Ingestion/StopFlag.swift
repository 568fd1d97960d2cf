internal import Synchronization

/// Says to work that blocks its thread that it is to end.
final class StopFlag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }

    func set() { state.store(true, ordering: .relaxed) }
}
