import CWatchedVFS
import Synchronization
import SystemPackage

/// Counts the operations of a run and lets one of them go wrong.
final class FaultSchedule: Sendable {
    enum Fault: CaseIterable {
        /// Any one operation fails, and the next ones do not.
        case error
        /// A write takes half of its bytes; SQLite is told that the disk is full.
        case shortWrite
        /// From one operation on nothing new fits on the disk.
        case noSpace
        /// The process is dead: this operation and all behind it are not done.
        case crash
    }

    /// What an operation needs.
    enum Kind {
        /// Changes nothing.
        case look
        case write
        /// A new name.
        case name
        /// Changes something, and needs no space.
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

    /// - Parameter place: which of the operations that it can befall, from 1.
    init(_ fault: Fault, at place: Int) {
        self.fault = fault
        self.place = place
    }

    /// Whether the run came as far as the fault.
    var isHit: Bool { state.withLock { $0.isHit } }

    /// How many operations it could have befallen.
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
        // SQLite's own codes, as its layer below would give them.
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
