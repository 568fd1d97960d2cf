public import ShareModel
internal import SystemPackage
internal import Transfers

extension DeliveryRecord {
    /// Whether it is open because its content is on its way.
    public var isBeingTransferred: Bool { outcome == .pending && why == DeliveryStore.transferring }
}

/// Says of deliveries whose content is on its way what their transfers wait for. The record of a delivery says only that there is a
/// transfer, because the transfer process keeps what becomes of it.
struct TransferStanding {
    private let ledger: TransferLedger
    /// In milliseconds since 1970.
    private let now: Int64

    /// The open transfers that are looked at for the reason of a sink.
    private static let looked = 100

    /// - Parameter container: the folder of the container.
    init(_ container: FilePath, _ clock: Clock) {
        (ledger, now) = (TransferLedger(container), clock.nanoseconds() / 1_000_000)
    }

    /// The record with the reason and the time of its transfer.
    func explained(_ record: DeliveryRecord) -> DeliveryRecord {
        guard record.isBeingTransferred else { return record }
        var record = record
        // Its own time is that of a look in case the end of the transfer is lost.
        record.due = nil
        // What cannot be read is said by `sluice transfers`.
        guard let wait = (try? ledger.wait(of: record.id, now: now)) ?? nil else { return record }
        record.why = Self.why(wait)
        record.due = Timestamp(nanoseconds: wait.due * 1_000_000).description
        return record
    }

    /// The open deliveries with the reason and the time of the first transfer of their sink that waits.
    ///
    /// - Parameter sink: the sink of the delivery with a number.
    func explained(_ open: OpenDeliveries, sink: (Int64) throws -> String?) rethrows -> OpenDeliveries {
        guard open.needs == nil, open.why == DeliveryStore.transferring else { return open }
        var open = open
        open.due = 0
        for wait in (try? ledger.waits(limit: Self.looked, now: now)) ?? [] where try sink(wait.delivery) == open.sink {
            (open.why, open.due) = (Self.why(wait), wait.due)
            break
        }
        return open
    }

    private static func why(_ wait: TransferLedger.Wait) -> String { wait.why.with(.listTransfers) }
}
