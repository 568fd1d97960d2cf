internal import ShareModel

/// Deliveries as they end, counted.
actor DeliveryCount {
    private(set) var total = Summary.Deliveries()

    func add(_ record: DeliveryRecord) { total.add(record.outcome) }
}
