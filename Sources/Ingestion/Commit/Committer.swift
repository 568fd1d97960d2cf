internal import Files
internal import GroupContainer
internal import ShareModel

/// Commits the rows of batches, one after the other.
///
/// Cancellation does not interrupt a commit. Half of one would leave objects without rows, and packages without an
/// acknowledgment.
actor Committer {
    private let container: Container
    private let executor = QueueExecutor("sluice.commit")

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
            var rest = batch.intakes[...]
            while !rest.isEmpty {
                let next = rest.firstTransaction
                do {
                    var settled = try container.catalog.commit(next.compactMap(\.proposal)).makeIterator()
                    // An intake without a proposal leaves no row, and its receipt is final already.
                    receipts += next.compactMap { $0.proposal == nil ? $0.receipt : settled.next() }
                } catch {
                    guard !receipts.isEmpty else { throw error }
                    throw PartialCommit(receipts: receipts, cause: error)
                }
                rest = rest.dropFirst(next.count)
            }
        }
        return receipts
    }

    /// The receipts with the present state of their deliveries.
    func refresh(_ receipts: [Receipt]) throws -> [Receipt] { try container.catalog.refresh(receipts) }

    /// The counts of a run after its deliveries. A delivery that was not due when its package was reported may have
    /// been made later in the same run.
    func recount(_ summary: Summary, _ open: [ReportedDeliveries]) throws -> Summary {
        var summary = summary
        for reported in open {
            let receipt: Receipt
            do { receipt = try container.catalog.receipt(reported.package) } catch let error as ContainerError
                where error.code == .notFound
            {
                // The package was forgotten meanwhile.
                continue
            }
            for delivery in receipt.providers.lazy.flatMap(\.deliveries)
            where delivery.outcome != .pending && reported.ids.contains(delivery.id) {
                summary.deliveries.pending -= 1
                summary.deliveries.add(delivery.outcome)
            }
        }
        return summary
    }
}

/// The deliveries of a package that were open when the package was reported.
struct ReportedDeliveries: Sendable {
    /// The identifier of the package that owns them.
    var package: String
    var ids: Set<String>
}

extension [ReportedDeliveries] {
    /// The number of packages that are counted again after a run. Further ones stay counted as they were reported.
    private static var limit: Int { 100_000 }

    mutating func add(_ receipt: Receipt) {
        guard receipt.hasOpenDeliveries, count < Self.limit else { return }
        let open = receipt.providers.flatMap(\.deliveries).filter { $0.outcome == .pending }
        append(ReportedDeliveries(package: receipt.packageID, ids: Set(open.map(\.id))))
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
    fileprivate var rows: Int { 1 + receipt.providers.count + deliveries.count + records.count }

    /// The text that the package adds, about: its words, its names, and the attempts that its receipt tells.
    fileprivate var textBytes: Int {
        receipt.providers.reduce((text?.utf8.count ?? 0) + (receipt.item?.text?.utf8.count ?? 0)) { sum, provider in
            sum + provider.name.utf8.count + (provider.suggestedName?.utf8.count ?? 0) + 64 * provider.tried.count
        }
    }
}
