extension Receipt {
    /// Adds a delivery to the provider that leads its group. `lead` is that provider's index in the item.
    public mutating func attach(_ record: DeliveryRecord, lead: Int) {
        // The index is nearly always the place, and a package may have thousands of both.
        let isPlace = providers.indices.contains(lead) && providers[lead].index == lead
        guard let place = isPlace ? lead : providers.firstIndex(where: { $0.index == lead }) else { return }
        providers[place].deliveries.append(record)
    }

    /// Changes each delivery, in the order of the providers.
    public mutating func changeDeliveries(_ change: (inout DeliveryRecord) throws -> Void) rethrows {
        for provider in providers.indices {
            for place in providers[provider].deliveries.indices { try change(&providers[provider].deliveries[place]) }
        }
    }

    /// Whether a delivery is still pending.
    public var hasOpenDeliveries: Bool { providers.contains { $0.deliveries.contains { $0.outcome == .pending } } }
}
