internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// The progress of a run. Its stages write it, and the task that reports progress reads it.
final class ProgressMeter: Sendable {
    private struct State {
        var progress = IngestProgress()
        /// The identifiers of the deliveries of this run that are open.
        var open: Set<String> = []
    }

    private let state = Mutex(State())

    var reading: IngestProgress { state.withLock(\.progress) }

    func begin(_ path: FilePath) { state.withLock { $0.progress.reading = path } }

    func end() {
        state.withLock {
            $0.progress.packages += 1
            if $0.progress.packages == $0.progress.total { $0.progress.reading = nil }
        }
    }

    func add(bytes: Int) { state.withLock { $0.progress.bytes += Int64(bytes) } }

    /// The end of the input was found, after this number of packages. Some of them may still be read.
    func setTotal(_ packages: Int) {
        state.withLock {
            $0.progress.total = packages
            if $0.progress.packages == packages { $0.progress.reading = nil }
        }
    }

    /// Counts the open deliveries of committed packages.
    func commit(_ receipts: [Receipt]) {
        let open = Set(receipts.flatMap(\.openDeliveries))
        guard !open.isEmpty else { return }
        state.withLock {
            $0.open.formUnion(open)
            $0.progress.deliveries += open.count
        }
    }

    /// Counts a delivery that ended. A delivery of another run does not count.
    func endDelivery(_ id: String) {
        state.withLock { if $0.open.remove(id) != nil { $0.progress.deliveriesDone += 1 } }
    }

    /// Notes how far the transfers of the run are.
    func note(_ transfers: TransferProgress) { state.withLock { $0.progress.transfers = transfers } }

    /// Counts the deliveries of committed packages that no longer wait: another process made them, or a later run tries
    /// them again.
    ///
    /// - Parameter receipts: as they were committed.
    func settle(_ receipts: [Receipt]) {
        let open = receipts.flatMap(\.openDeliveries)
        state.withLock { state in
            state.progress.transfers = nil
            for id in open where state.open.remove(id) != nil { state.progress.deliveriesDone += 1 }
        }
    }
}

extension Receipt {
    /// The identifiers of the pending deliveries.
    fileprivate var openDeliveries: [String] {
        providers.flatMap(\.deliveries).filter { $0.outcome == .pending }.map(\.id)
    }
}
