import Foundation
import ShareModel
import Testing

/// Sinks that take several deliveries before they answer the first.
@Suite struct SeveralInFlightTests {
    private let trial: DeliveryTrial

    init() throws { trial = try DeliveryTrial() }

    /// The mock answers in reverse order.
    @Test(arguments: [2, 4, 32, 100]) func answersMayComeInAnyOrder(_ count: Int) throws {
        try trial.install(["good", "--in-flight", "\(count)", "--record", trial.record])
        try trial.writeTexts(1...40)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 0)
        let records = try trial.records()
        #expect(records.count == 40)
        for (name, record) in records.all {
            let text = "harmless text \(name.filter(\.isNumber))"
            #expect(record.outcome == .delivered)
            #expect(record.attempts == 1)
            #expect(
                record.metadata == [
                    "bytes": .integer(Int64(text.utf8.count)), "text": .string(String(text.prefix(20))),
                ])
            #expect(record.products.map(\.size) == [Int64(text.utf8.count)])
        }
        #expect(try trial.greetings() == 1)
        try trial.checkLedger(end, "the ledger")
    }

    /// The sink dies of one delivery. It has answered some of the others in flight, and some not.
    @Test(arguments: [1, 3, 5, 10], [2, 4]) func nobodyDiesOfAnother(_ deadly: Int, _ inFlight: Int) throws {
        try trial.install(["die", "9", "--on", "deadly", "--in-flight", "\(inFlight)", "--record", trial.record])
        try trial.writeTexts(1...10, deadly: [deadly])
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 1)
        let records = try trial.records()
        for number in 1...10 {
            let record = try #require(records["t\(number).txt"])
            #expect(record.outcome == (number == deadly ? .quarantined : .delivered), "\(number)")
        }
        let why = records["t\(deadly).txt"]?.why
        #expect(why?.contains("died of SIGKILL") == true, "\(why ?? "no reason")")
        #expect(why?.contains("2 times") == true)
        let key = try #require(try trial.handed().last { $0.id == records["t\(deadly).txt"]?.id }?.key)
        // The first attempt is beside others, unless the delivery comes last. The next one may come after another
        // delivery of the same process, which then is under suspicion too. Two attempts as the first of a process
        // follow.
        let attempts = try trial.handed().filter { $0.key == key }.map(\.attempt)
        #expect(attempts == Array(1...attempts.count))
        #expect((2...4).contains(attempts.count))
        try trial.checkLedger(end, "the ledger")
    }

    @Test func twoDeadlyOnesAreFoundOut() throws {
        try trial.install(["exit", "3", "--on", "deadly", "--in-flight", "4"])
        try trial.writeTexts(1...10, deadly: [4, 7])
        let end = try trial.ingest()
        let records = try trial.records()
        for number in 1...10 {
            let isDeadly = [4, 7].contains(number)
            #expect(records["t\(number).txt"]?.outcome == (isDeadly ? .quarantined : .delivered), "\(number)")
        }
        #expect(records["t4.txt"]?.why?.contains("I have had enough") == true, "the tail of its standard error")
        #expect(end.status == 1)
        try trial.checkLedger(end, "the ledger")
    }

    /// A sink that dies once with four in flight loses none of them.
    @Test func aSinkThatDiesOnceDeliversAll() throws {
        try trial.install(["die", "11", "--nth", "3", "--once", trial.folder["died"].string, "--in-flight", "4"])
        try trial.writeTexts(1...10)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(FileManager.default.fileExists(atPath: trial.folder["died"].string), "the sink died once")
        #expect(end.status == 0, "\(end.errors)")
        #expect(try trial.records().values.allSatisfy { $0.outcome == .delivered })
        try trial.checkLedger(end, "the ledger")
    }
}
