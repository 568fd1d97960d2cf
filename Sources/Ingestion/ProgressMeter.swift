internal import Synchronization
internal import SystemPackage

/// The progress of a run. Its workers write it, and the task that reports progress reads it.
final class ProgressMeter: Sendable {
    struct Reading: Sendable {
        var packages = 0
        var bytes: Int64 = 0
        var current: FilePath?
    }

    private let state = Mutex(Reading())

    var reading: Reading { state.withLock { $0 } }

    func begin(_ path: FilePath) { state.withLock { $0.current = path } }

    func end() { state.withLock { $0.packages += 1 } }

    func add(bytes: Int) { state.withLock { $0.bytes += Int64(bytes) } }
}
