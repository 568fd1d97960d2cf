import CWatchedVFS
import Synchronization
import SystemPackage

/// Counts the operations of a run and makes one of them fail.
final class FaultSchedule: Sendable {
    enum Fault: CaseIterable {
        /// One operation fails, and all later ones succeed.
        case error
        /// A write takes half of its bytes; SQLite gets the error of a full disk.
        case shortWrite
        /// From one operation on, nothing new fits on the disk.
        case noSpace
        /// The process died: this operation and all later ones fail.
        case crash
    }

    /// The effect of an operation.
    enum Kind {
        /// It changes nothing.
        case look
        case write
        /// It makes a new name.
        case name
        /// It changes something without needing space.
        case change
    }

    enum Verdict {
        case proceed, half
        case fail(Errno)
    }

    private struct State {
        var count = 0
        var isHit = false
    }

    private let fault: Fault
    private let place: Int
    private let state = Mutex(State())

    /// - Parameter place: the number of the operation that fails, counted from 1 among those that can have this fault.
    init(_ fault: Fault, at place: Int) {
        self.fault = fault
        self.place = place
    }

    /// Whether the run reached the fault.
    var isHit: Bool { state.withLock { $0.isHit } }

    /// The number of operations that can have this fault.
    var count: Int { state.withLock { $0.count } }

    func verdict(on kind: Kind) -> Verdict {
        state.withLock { state in
            guard applies(to: kind) else { return .proceed }
            state.count += 1
            let isNow = state.count == place
            state.isHit = state.isHit || isNow
            switch fault {
            case .error: return isNow ? .fail(.ioError) : .proceed
            case .shortWrite: return isNow ? .half : .proceed
            case .noSpace: return state.isHit ? .fail(.noSpace) : .proceed
            case .crash: return state.isHit ? .fail(.ioError) : .proceed
            }
        }
    }

    private func applies(to kind: Kind) -> Bool {
        switch fault {
        case .error, .crash: true
        case .shortWrite: kind == .write
        case .noSpace: kind == .write || kind == .name
        }
    }
}

extension FaultSchedule: SQLiteWatcher {
    func willDo(_ operation: inout watched_operation) -> Int32 {
        let kind: Kind
        // The codes that SQLite's own file layer would return. `10 | n << 8` is an input or output error with its
        // detail.
        let code: Int32
        switch operation.kind {
        case watched_create: (kind, code) = (.name, 14)
        case watched_write: (kind, code) = (.write, 10 | 3 << 8)
        case watched_truncate: (kind, code) = (.change, 10 | 6 << 8)
        case watched_delete: (kind, code) = (.change, 10 | 10 << 8)
        case watched_sync: (kind, code) = (.change, 10 | 4 << 8)
        default: (kind, code) = (.change, 10 | 5 << 8)
        }
        switch verdict(on: kind) {
        case .proceed: return 0
        case .half:
            operation.count /= 2
            return Self.full
        case .fail(.noSpace) where kind == .write: return Self.full
        case .fail: return code
        }
    }

    func didDo(_ operation: watched_operation) {}

    private static let full: Int32 = 13
}
