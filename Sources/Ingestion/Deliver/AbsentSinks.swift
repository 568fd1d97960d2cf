internal import GroupContainer
public import ShareModel
internal import SinkHost

extension Pipeline {
    /// The receipt with the reason of each open delivery whose sink is not there: it was removed, or it is disabled.
    ///
    /// The container does not record this, because another process may look for sinks elsewhere.
    public func namingAbsentSinks(in receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.changeDeliveries { record in
            guard record.outcome == .pending, registry[record.sink] == nil else { return }
            (record.why, record.due) = (AbsentSink.why(record.sink, beside: record.why), nil)
        }
        return receipt
    }
}

extension Container {
    /// The open deliveries of each sink, as ``openDeliveries()`` returns them. Those of an absent sink have this reason
    /// too, and no time.
    func openDeliveries(in registry: SinkRegistry) throws -> [OpenDeliveries] {
        try openDeliveries().map { open in
            guard registry[open.sink] == nil else { return open }
            var open = open
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
