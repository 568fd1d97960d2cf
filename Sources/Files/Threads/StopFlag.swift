internal import Synchronization

/// Tells work that blocks its thread to end soon.
package final class StopFlag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .relaxed) }

    package func set() { state.store(true, ordering: .relaxed) }
}
