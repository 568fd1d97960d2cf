public import ShareModel
internal import SystemPackage
internal import Transfers

extension DeliveryRecord {
    /// Whether it is open because its content is on its way.
    public var isBeingTransferred: Bool { outcome == .pending && DeliveryStore.isTransferring(why) }
}

/// Says of deliveries whose content is on its way what their transfers wait for. The record of a delivery says only that there is a
/// transfer, because the transfer process keeps what becomes of it.
struct TransferStanding {
    private let ledger: TransferLedger
    /// In milliseconds since 1970.
    private let now: Int64

    /// The waiting transfers that are looked at for the reason of a sink.
    private static let looked = 1_000

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
        guard case .success(let transfer) = Result(catching: { try ledger.transfer(of: record.id) }) else {
            return record
        }
        if let wait = transfer.flatMap({ TransferLedger.Wait($0, now: now) }) {
            record.why = Self.why(wait)
            record.due = Timestamp(nanoseconds: wait.due * 1_000_000).description
        } else if transfer?.status != .open {
            record.why = Self.ended
        }
        return record
    }

    /// The open deliveries with what their transfers wait for. If only some of them wait, the others have no time.
    ///
    /// - Parameter record: the record of the delivery with a number.
    func explained(_ open: OpenDeliveries, record: (Int64) throws -> DeliveryRecord?) rethrows -> OpenDeliveries {
        guard open.needs == nil, DeliveryStore.isTransferring(open.why) else { return open }
        var open = open
        open.due = 0
        // What cannot be read is said by `sluice transfers`.
        let waits = (try? ledger.waits(limit: Self.looked, now: now)) ?? []
        let own = try waits.filter { wait in
            guard let record = try record(wait.delivery), record.id == wait.key, record.outcome == .pending else {
                return false
            }
            return record.sink == open.sink && record.login == open.login
        }
        guard let first = own.first else {
            if (try? ledger.counts(of: nil, now: now).open) == 0 { open.why = Self.ended }
            return open
        }
        let same = own.count { $0.why == first.why }
        if same < open.count, waits.count < Self.looked {
            open.why = "\(same) of them \(same == 1 ? "waits" : "wait"): \(Self.why(first))"
        } else {
            (open.why, open.due) = (Self.why(first), first.due)
        }
        return open
    }

    private static let ended = "its transfer has ended, and the next run of deliveries goes on with it"

    private static func why(_ wait: TransferLedger.Wait) -> String { wait.why.with(.listTransfers) }
}
