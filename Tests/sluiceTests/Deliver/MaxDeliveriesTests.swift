import Testing

/// Sinks that limit the deliveries of one process.
@Suite struct MaxDeliveriesTests {
    @Test(arguments: [(1, 1, 7), (3, 1, 3), (3, 2, 3), (3, 5, 3), (7, 1, 1), (8, 3, 1)])
    func anotherProcessTakesTheRest(_ most: Int, _ inFlight: Int, _ processes: Int) throws {
        let trial = try DeliveryTrial()
        let numbers = ["--max-deliveries", "\(most)", "--in-flight", "\(inFlight)"]
        try trial.install(["good", "--record", trial.record] + numbers)
        try trial.writeTexts(1...7)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 0, "\(end.errors)")
        let records = try trial.records()
        #expect(records.count == 7)
        #expect(records.values.allSatisfy { $0.outcome == .delivered && $0.attempts == 1 && $0.products.count == 1 })
        #expect(try trial.greetings() == processes)
        try trial.checkLedger(end, "the ledger")
    }
}
