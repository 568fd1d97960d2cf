internal import GroupContainer
internal import ShareModel
internal import Synchronization

/// Adds the large metadata that receipts leave out, to one receipt at a time, when it is reported. A run holds thousands
/// of receipts.
final class ReceiptCompleter: Sendable {
    private let catalog: any Catalog
    private let failure = Mutex<(any Error)?>(nil)

    init(catalog: any Catalog) { self.catalog = catalog }

    /// The receipt with all of its metadata. If the catalog fails, the receipt as it is, because its package is in.
    func completed(_ receipt: Receipt) -> Receipt {
        do { return try catalog.completed(receipt) } catch {
            failure.withLock { $0 = $0 ?? error }
            return receipt
        }
    }

    /// Throws the first error of the catalog.
    func check() throws { if let error = failure.withLock({ $0 }) { throw error } }
}
