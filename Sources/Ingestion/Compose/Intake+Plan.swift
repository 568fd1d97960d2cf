internal import ShareModel

extension Intake {
    /// The receipt as an empty container would give it, with the deliveries that would be opened. Discards staged content.
    var planned: Receipt {
        staged.forEach { $0.discard() }
        var receipt = receipt
        receipt.storedBytes = receipt.bytes
        for delivery in proposal?.deliveries ?? [] {
            receipt.attach(DeliveryRecord(id: delivery.id, sink: delivery.sink, outcome: .pending), lead: delivery.lead)
        }
        return receipt
    }
}
