internal import Synchronization

/// Says to work that blocks its thread that it is to end.
package final class StopFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .relaxed) }

    package func set() { state.store(true, ordering: .relaxed) }
}
