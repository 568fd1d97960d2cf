internal import ShareModel

extension Intake {
    /// The receipt that an empty container would give, with the deliveries that it would open. Discards the staged
    /// content.
    var planned: Receipt {
        staged.forEach { $0.discard() }
        var receipt = receipt
        // An empty container has none of the content yet.
        receipt.storedBytes = receipt.bytes
        for delivery in proposal?.deliveries ?? [] {
            receipt.attach(DeliveryRecord(id: delivery.id, sink: delivery.sink, outcome: .pending), lead: delivery.lead)
        }
        return receipt
    }
}
