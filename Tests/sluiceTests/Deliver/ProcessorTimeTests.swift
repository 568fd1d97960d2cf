import Testing

/// Sinks that the kernel ends because of their processor time.
@Suite struct ProcessorTimeTests {
    /// Another try would need as much time again.
    @Test func aDeliveryThatNeedsAllOfItIsNotTriedAgain() throws {
        let trial = try DeliveryTrial()
        try trial.install(["spin"], processor: 1)
        try trial.writeTexts(1...1)
        _ = try trial.ingest(["--no-sandbox"])
        let record = try #require(try trial.records()["t1.txt"])
        #expect(record.outcome == .quarantined && record.attempts == 1)
        let why = "died of its limit of processor time (SIGXCPU); this delivery needs more than that"
        #expect(record.why?.contains(why) == true, "\(record.why ?? "")")
    }
}
