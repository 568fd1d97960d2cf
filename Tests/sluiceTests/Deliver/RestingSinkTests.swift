import Foundation
import ShareModel
import Testing

/// A sink that keeps failing is paused. Its deliveries wait, and the pause does not count as their failure.
@Suite struct RestingSinkTests {
    private let trial: DeliveryTrial

    init() throws { trial = try DeliveryTrial() }

    /// The number of consecutive pauses of each paused sink.
    private func rests() throws -> [String] {
        try SQL.run(trial.program.container, "SELECT failures FROM held_sink")
    }

    /// - Parameter time: in milliseconds since 1970. The time 0 is no time, but stands for a delivery that was never tried.
    private func setDue(_ time: String) throws {
        try SQL.run(trial.program.container, "UPDATE held_sink SET due = \(time); UPDATE delivery SET due = \(time)")
    }

    private static var inAnHour: String { "\(Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000)" }

    private func deliverDue() throws -> Program.End {
        try trial.program.run(["deliver", "--json", "--due", "--no-sandbox"])
    }

    private func install(_ arguments: String...) throws { try trial.install(arguments + ["--record", trial.record]) }

    @Test(arguments: [1, 3]) func afterEightFailuresItRests(_ inFlight: Int) throws {
        try install("fail", "transient", "--in-flight", "\(inFlight)")
        try trial.writeTexts(1...20)
        try trial.folder.write("in/other.bin", [0, 1, 2, 3])
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 1)
        let tried = try trial.handed().count
        // Deliveries that are in flight when the pause begins are still answered.
        #expect(tried >= 8 && tried < 8 + inFlight)
        let records = try trial.records()
        #expect(records["other.bin"]?.outcome == .delivered)
        let mine = records.values.filter { $0.sink == "mock" }
        #expect(mine.count == 20)
        #expect(mine.allSatisfy { $0.outcome == .pending })
        #expect(mine.count { $0.attempts == 1 && $0.why == "as asked" } == tried)
        let waiting = mine.filter { $0.attempts == 0 }
        #expect(waiting.count == 20 - tried)
        #expect(waiting.allSatisfy { $0.why?.contains("the sink mock keeps failing: as asked") == true })
        #expect(try rests() == ["1"])
        try trial.checkLedger(end, "the ledger")
    }

    /// After a pause, each run tries one delivery until one succeeds.
    @Test func aTrialTellsWhetherTheRestIsOver() throws {
        try install("fail", "transient")
        try trial.writeTexts(1...12)
        _ = try trial.ingest(["--no-sandbox"])
        try setDue(Self.inAnHour)
        #expect(try deliverDue().messages.compactMap(\.delivery).isEmpty)
        #expect(try trial.handed().count == 8, "the sink is paused")
        for trials in 1...2 {
            try setDue("1")
            #expect(try deliverDue().messages.compactMap(\.delivery).map(\.outcome) == [.pending])
            #expect(try trial.handed().count == 8 + trials, "one trial")
            #expect(try rests() == ["\(1 + trials)"])
        }
        try setDue("1")
        try install("good")
        let end = try deliverDue()
        #expect(end.status == 0, "\(end.errors)")
        #expect(try end.messages.compactMap(\.delivery).count == 12)
        #expect(try trial.records().values.allSatisfy { $0.outcome == .delivered })
        #expect(try rests().isEmpty)
        trial.checkLeftovers("after the rest")
    }

    /// `deliver` ends every wait. If it began with the same deliveries each time, the sink would pause before it gets the
    /// others.
    @Test func whatWasTriedComesAfterTheOthers() throws {
        let deadly = [1] + Array(10...19)
        try install("fail", "transient", "--on", "deadly")
        // In the order of names, all these come before `t2.txt`.
        try trial.writeTexts(1...19, deadly: Set(deadly))
        _ = try trial.ingest(["--no-sandbox"])
        #expect(try trial.handed().count == 8)
        _ = try trial.program.run(["deliver", "--json", "--no-sandbox"])
        let records = try trial.records()
        for number in 2...9 { #expect(records["t\(number).txt"]?.outcome == .delivered) }
        for _ in 1...3 { _ = try trial.program.run(["deliver", "--json", "--no-sandbox"]) }
        let attempts = try trial.records().values.filter { $0.outcome == .pending }.map(\.attempts)
        // The first run of `deliver` tried the three that were left, and then eight, as the others did.
        #expect(attempts.count == deadly.count && attempts.reduce(0, +) == 8 + 3 + 4 * 8)
        #expect(attempts.allSatisfy { (2...5).contains($0) }, "they take turns: \(attempts)")
    }

    /// A delivery that is new during the pause waits too, and states the reason.
    @Test func whatComesMeanwhileWaits() throws {
        try install("fail", "transient")
        try trial.writeTexts(1...10)
        _ = try trial.ingest(["--no-sandbox"])
        try setDue(Self.inAnHour)
        try trial.writeTexts(11...11)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 1)
        let record = try #require(try trial.records()["t11.txt"])
        #expect(record.outcome == .pending)
        #expect(record.attempts == 0)
        #expect(record.why?.contains("keeps failing") == true)
        #expect(try trial.handed().count == 8)
        try install("good")
        let delivered = try trial.program.run(["deliver", "--json", "--no-sandbox"])
        #expect(delivered.status == 0, "'deliver' without '--due' ends the pause: \(delivered.errors)")
        #expect(try delivered.messages.compactMap(\.delivery).count == 11)
        #expect(try rests().isEmpty)
    }

    @Test func whatCannotBeStartedIsStartedOnce() throws {
        try trial.install(["never-ready", "--record", trial.record], startup: 1)
        try trial.writeTexts(1...10)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 1)
        #expect(try trial.greetings() == 1)
        let records = try trial.records()
        #expect(records.count == 10)
        for record in records.values {
            #expect(record.outcome == .pending)
            #expect(record.attempts == 0)
            #expect(record.why?.contains("the sink mock cannot be started: ") == true, "\(record.why ?? "no reason")")
        }
        #expect(try rests() == ["1"])
        try trial.checkLedger(end, "the ledger")
    }
}
