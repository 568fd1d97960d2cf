internal import Files
internal import GroupContainer
internal import ShareModel

/// Commits the rows of batches, one after the other.
///
/// Cancellation does not interrupt a commit. Half of one would leave objects without rows, and packages without an
/// acknowledgment. It only shortens the wait for another process's transaction before the commit begins.
actor Committer {
    private let container: Container
    private let executor = QueueExecutor("sluice.commit")
    private var replaced = ReplacedPackages()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(container: Container) { self.container = container }

    /// Commits the rows of a batch, which are durable when this returns.
    ///
    /// - Returns: the settled receipts, in order.
    /// - Throws: ``PartialCommit`` if a part of the batch is committed; the error of the container if nothing is.
    func commit(_ batch: StoredBatch) throws -> [Receipt] {
        var receipts: [Receipt] = []
        // The batch holds the objects lock. It must live until the last transaction is durable.
        try withExtendedLifetime(batch) {
            var rest = batch.intakes.map(related)[...]
            while !rest.isEmpty {
                let next = rest.firstTransaction
                do {
                    let proposals = next.compactMap(\.proposal)
                    var settled = try container.catalog.commit(proposals).makeIterator()
                    // An intake without a proposal leaves no row, and its receipt is final already.
                    receipts += next.compactMap { $0.isFinal ? $0.receipt : settled.next() }
                } catch {
                    guard !receipts.isEmpty else { throw error }
                    throw PartialCommit(receipts: receipts, cause: error)
                }
                rest = rest.dropFirst(next.count)
            }
        }
        return receipts
    }

    /// The intake with the earlier packages of the run that it replaced.
    private func related(_ intake: Intake) -> Intake {
        guard let history = intake.proposal?.history else { return intake }
        // Before any transaction begins, because these packages count as rows of it.
        if let later = history.replacedBy { replaced.add(intake.receipt.id, replacedBy: later) }
        var intake = intake
        let earlier = replaced.take(by: intake.receipt.id)
        intake.change { $0.history?.replaced = earlier }
        return intake
    }

    /// The receipts with the present state of their deliveries.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt] { try container.catalog.refresh(receipts) }

    /// The counts of a run after its deliveries. A delivery that was not due when its package was reported may have
    /// been made later in the same run.
    ///
    /// - Parameter open: the identifiers of deliveries that `summary` counts as pending.
    func recount(_ summary: Summary, _ open: [String]) throws -> Summary {
        var (summary, rest) = (summary, open[...])
        while !rest.isEmpty {
            try Task.checkCancellation()
            let page = rest.prefix(1_000)
            rest = rest.dropFirst(page.count)
            for outcome in try container.catalog.outcomes(ofDeliveries: Array(page)) where outcome != .pending {
                summary.deliveries.pending -= 1
                summary.deliveries.add(outcome)
            }
        }
        return summary
    }
}

/// The packages of bags that were replaced by one which may come in later in the run. A second ingest of the bag restores
/// what is above the limits.
struct ReplacedPackages {
    /// The number of packages that one package replaces. The transaction of that package reads the row of each.
    static let limit = 1_000
    private static let totalLimit = 1_000_000

    private var earlier: [String: [String]] = [:]
    private var count = 0

    mutating func add(_ id: String, replacedBy later: String) {
        guard count < Self.totalLimit, earlier[later, default: []].count < Self.limit else { return }
        earlier[later, default: []].append(id)
        count += 1
    }

    /// The packages that one replaced, which are given out once.
    mutating func take(by id: String) -> [String] {
        let taken = earlier.removeValue(forKey: id) ?? []
        count -= taken.count
        return taken
    }
}

/// The identifiers of the deliveries that were open when their packages were reported.
struct ReportedDeliveries {
    /// The number of deliveries that are counted again after a run. Further ones stay counted as they were reported.
    private static let limit = 100_000

    private(set) var ids: [String] = []

    mutating func add(_ receipt: Receipt) {
        guard receipt.hasOpenDeliveries else { return }
        let open = receipt.providers.lazy.flatMap(\.deliveries).filter { $0.outcome == .pending }.map(\.id)
        ids += open.prefix(Self.limit - ids.count)
    }
}

/// The error that ended a commit after a part of its batch was durable.
struct PartialCommit: Error {
    /// The receipts of the committed part, in order.
    var receipts: [Receipt]
    var cause: any Error
}

/// Every other writer waits for a transaction, so it has a limit. A usual batch of 1,000 packages is one transaction,
/// with one sync. A package is never divided.
extension ArraySlice<Intake> {
    /// The rows of a transaction, above which it takes no further package.
    static var transactionRows: Int { 8_192 }
    /// The bytes of text in a transaction, above which it takes no further package. The full-text index takes a few MiB
    /// a second on a slow machine.
    static var transactionBytes: Int { 2 << 20 }

    /// The first intakes that fit into one transaction, and at least one.
    var firstTransaction: ArraySlice<Intake> {
        var (rows, bytes) = (0, 0)
        return prefix { intake in
            guard rows < Self.transactionRows, bytes < Self.transactionBytes else { return false }
            if let proposal = intake.proposal {
                rows += proposal.rows
                bytes += proposal.textBytes
            }
            return true
        }
    }
}

extension PackageProposal {
    /// The rows that the package adds, about.
    fileprivate var rows: Int {
        let restored = history.map { history in
            history.deliveries.reduce(history.sightings.count + history.replaced.count + history.tags.count) {
                sum, delivery in
                sum + 1 + delivery.record.products.count
            }
        }
        return 1 + tags.count + receipt.providers.count + deliveries.count + records.count + (restored ?? 0)
    }

    /// The text that the package adds, about: its titles, its names, and the attempts that its receipt tells.
    fileprivate var textBytes: Int {
        let found = (history?.deliveries ?? []).reduce(0) { sum, delivery in
            sum + (delivery.record.metadata?.memory ?? 0)
        }
        let items = [receipt.item].compactMap(\.self) + receipt.alternatives
        let sent = items.reduce(0) { sum, item in
            sum + (item.title?.utf8.count ?? 0) + (item.text?.utf8.count ?? 0)
        }
        return receipt.providers.reduce(found + sent) { sum, provider in
            sum + provider.name.utf8.count + (provider.suggestedName?.utf8.count ?? 0) + 64 * provider.tried.count
        }
    }
}
