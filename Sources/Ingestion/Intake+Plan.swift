internal import ShareModel

extension Intake {
    /// The receipt as it would be in an empty container, with the deliveries that would be made; what was staged is gone.
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
