internal import GroupContainer
public import ShareModel
internal import SinkHost

extension Pipeline {
    /// The records with what their transfers wait for.
    public func explainingTransfers(of records: [DeliveryRecord]) -> [DeliveryRecord] {
        records.map(TransferStanding(options.container, options.clock).explained)
    }

    /// The receipt with the reason of each open delivery that waits for its transfer, or that needs a person: its account needs a login, or
    /// its sink was removed or is disabled.
    ///
    /// The container does not record this, because another process may look for sinks elsewhere.
    public func explainingOpenDeliveries(in receipt: Receipt) -> Receipt {
        var receipt = receipt
        let standing = TransferStanding(options.container, options.clock)
        receipt.changeDeliveries { $0 = standing.explained($0) }
        receipt = accounts.annotated(receipt)
        receipt.changeDeliveries { record in
            guard record.outcome == .pending, registry[record.sink] == nil else { return }
            (record.why, record.due) = (AbsentSink.why(record.sink, beside: record.why), nil)
        }
        return receipt
    }
}

extension Container {
    /// The open deliveries of each sink, as ``openDeliveries()`` returns them, with what their transfers wait for and what a person has to do
    /// first. Those of an absent sink have this reason too, and no time.
    func openDeliveries(in registry: SinkRegistry, _ accounts: AccountBook, _ clock: Clock) throws -> [OpenDeliveries] {
        let standing = TransferStanding(layout.root, clock)
        return try accounts.annotated(openDeliveries()).reduce(into: [OpenDeliveries]()) { merged, open in
            // Those of several logins that wait for the same are one.
            guard let last = merged.last, last.sink == open.sink, last.needs == .login, open.needs == .login else {
                return merged.append(open)
            }
            merged[merged.count - 1].count += open.count
            merged[merged.count - 1].login = nil
        }.map { open in
            var open = try standing.explained(open, record: deliveries.record)
            guard registry[open.sink] == nil else { return open }
            (open.why, open.due) = (AbsentSink.why(open.sink, beside: open.why), 0)
            return open
        }
    }
}

private enum AbsentSink {
    /// The reason, behind that of a delivery's last failure.
    static func why(_ sink: String, beside own: String?) -> String {
        let why = "no enabled sink has this identifier".with(.dismissDeliveries(sink: sink))
        return own.map { "\($0); \(why)" } ?? why
    }
}
