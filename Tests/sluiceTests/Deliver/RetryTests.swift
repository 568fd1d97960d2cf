import Foundation
import ShareModel
import Testing

@testable import sluice

/// Deliveries with transient failures are tried again, and given up after too many.
@Suite struct RetryTests {
    private let trial: DeliveryTrial

    init() throws { trial = try DeliveryTrial() }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func deliver(_ options: String...) throws -> [DeliveryRecord] {
        try trial.program.run(["deliver", "--json", "--no-sandbox"] + options).messages.compactMap(\.delivery)
    }

    /// The wait doubles with each failure. The delivery is given up after ten, and a person can open it again.
    @Test func theRestGrowsAndComesToAnEnd() throws {
        try trial.install(["fail", "transient"])
        try trial.writeTexts(1...1)
        for failures in 1...10 {
            let before = Self.now
            if failures == 1 { #expect(try trial.ingest(["--no-sandbox"]).status == 1) } else { _ = try deliver() }
            let record = try #require(try trial.records()["t1.txt"])
            #expect(record.attempts == failures)
            #expect(record.why?.contains("as asked") == true)
            #expect(try trial.column("failures") == [Int64(failures)])
            guard failures < 10 else {
                #expect(record.outcome == .quarantined)
                #expect(record.why?.contains("given up after 10 failures") == true)
                break
            }
            #expect(record.outcome == .pending)
            let due = try #require(try trial.column("due").first)
            #expect(due >= before + 1_000 << Int64(failures - 1))
            #expect(due <= Self.now + 2_000 << Int64(failures - 1))
        }
        #expect(try deliver().isEmpty, "a quarantined delivery is not tried again")
        let id = try #require(try trial.records()["t1.txt"]?.id)
        #expect(try deliver("--retry", id).map(\.outcome) == [.pending])
        #expect(try trial.column("failures") == [1])
        try trial.install(["good"])
        #expect(try deliver().map(\.outcome) == [.delivered])
        #expect(try trial.column("failures") == [1], "the number of failures is kept")
    }

    @Test func theSinkSaysHowLong() throws {
        try trial.install(["fail", "transient", "100", "600000"])
        try trial.writeTexts(1...1)
        let before = Self.now
        _ = try trial.ingest()
        let due = try #require(try trial.column("due").first)
        #expect(due >= before + 600_000)
        #expect(due <= Self.now + 600_000)
        let record = try #require(try trial.records()["t1.txt"])
        let told = try Date(try #require(record.due), strategy: .iso8601)
        #expect(Int64(told.timeIntervalSince1970) == (due + 999) / 1_000)
        let package = try #require(SQL.run(trial.program.container, "SELECT id FROM package").first)
        #expect(
            try trial.program.run(["show", package]).output.contains(
                "from \(LocalTime.second(try #require(record.due))) on"))
    }

    @Test func onlyWhatIsDueIsTriedWhereThatIsAsked() throws {
        try trial.install(["fail", "transient", "100", "600000", "--record", trial.record])
        try trial.writeTexts(1...2)
        _ = try trial.ingest(["--no-sandbox"])
        #expect(try trial.handed().count == 2)
        let left = try trial.program.run(["deliver", "--json", "--due", "--no-sandbox"])
        #expect(try left.messages.compactMap(\.delivery).isEmpty)
        #expect(left.errors.contains("2"), "\(left.errors)")
        #expect(try trial.handed().count == 2)
        #expect(try trial.column("attempts") == [1, 1])
        try trial.writeTexts(3...3)
        _ = try trial.ingest(["--no-sandbox"])
        #expect(try trial.handed().count == 3, "an ingest does not try them either")
        #expect(try deliver().map(\.outcome) == [.pending, .pending, .pending])
        #expect(try trial.handed().map(\.attempt) == [1, 1, 1, 2, 2, 2])
        try trial.install(["good"])
        #expect(try deliver().map(\.outcome) == [.delivered, .delivered, .delivered])
    }

    /// More than one claim takes.
    @Test func allThatIsDueIsTried() throws {
        try trial.install(["good", "--in-flight", "32"])
        try trial.writeTexts(1...300)
        _ = try trial.ingest(["--no-deliver"])
        try SQL.run(trial.program.container, "UPDATE delivery SET due = 1")
        #expect(try deliver("--due").count == 300)
    }

    /// The clock of one run was ten years ahead.
    @Test func aTimeThatNoWaitLeadsToIsNow() throws {
        try trial.install(["good"])
        try trial.writeTexts(1...2)
        _ = try trial.ingest(["--no-deliver"])
        let due = [Self.now + 23 * 3_600_000, Self.now + 10 * 365 * 86_400_000]
        try SQL.run(
            trial.program.container,
            "UPDATE delivery SET due = CASE seq % 2 WHEN 1 THEN \(due[0]) ELSE \(due[1]) END; "
                + "INSERT INTO held_sink (sink, failures, due, why) VALUES ('mock', 1, \(due[1]), 'it was down')")
        #expect(try deliver("--due").map(\.outcome) == [.delivered], "the other one waits for less than a day")
        #expect(try trial.column("due").contains(due[0]))
    }

    /// A retry is due in ten minutes, and meanwhile another process adds a delivery.
    @Test func aWaitSeesNewDeliveries() throws {
        try trial.install(["fail", "transient", "1", "600000", "--on", "text 1"])
        try trial.writeTexts(1...1)
        #expect(try trial.ingest(["--no-sandbox"]).status == 1)
        let (scratch, output) = (try TestFolder(), Pipe())
        let waiting = try trial.program.start(
            ["deliver", "--json", "--wait", "--no-sandbox"], input: scratch.write("input", ""), scratch: scratch,
            output: output)
        try trial.writeTexts(2...2)
        #expect(try trial.ingest(["--no-deliver"]).status == 0)
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        waiting.terminate()
        waiting.waitUntilExit()
        let delivery = try JSONDecoder().decode(Program.Message.self, from: line).delivery
        #expect(delivery?.outcome == .delivered, "\(String(decoding: line, as: UTF8.self))")
        #expect(try trial.records()["t2.txt"]?.outcome == .delivered)
    }

    @Test func waitingEndsWhenAllIsDelivered() throws {
        try trial.install(["fail", "transient", "--once", trial.folder["failed"].string])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-sandbox"]).status == 1)
        let end = try trial.program.run(["deliver", "--json", "--wait", "--no-sandbox"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try end.messages.compactMap(\.delivery).map(\.outcome) == [.delivered])
        #expect(try trial.records().values.map(\.attempts).sorted() == [1, 2])
        trial.checkLeftovers("after waiting")
    }

    /// Runs a command whose reader has closed the pipe already.
    private func runIntoClosedPipe(_ arguments: [String]) throws -> (status: Int32, errors: String) {
        let (scratch, output) = (try TestFolder(), Pipe())
        try output.fileHandleForReading.close()
        let process = try trial.program.start(
            arguments, input: scratch.write("input", ""), scratch: scratch, output: output)
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Disk.bytes(scratch["errors"]), as: UTF8.self))
    }

    @Test(arguments: [[], ["--json"]]) func aClosedPipeHidesNoOpenDelivery(_ form: [String]) throws {
        let deliver = ["deliver", "--no-sandbox"] + form
        func open(_ number: Int, _ arguments: String...) throws {
            try trial.writeTexts(number...number)
            _ = try trial.ingest(["--no-deliver"])
            try trial.install(arguments)
        }
        try trial.install(["good"])
        try open(1, "fail", "transient")
        let left = try runIntoClosedPipe(deliver)
        #expect(left.status == 130)
        let command = "1 delivery is open; sluice deliver --container \(trial.program.container) tries it"
        #expect(left.errors.contains(command), "\(left.errors)")
        try open(1, "good")
        for run in 1...2 {
            let end = try runIntoClosedPipe(deliver)
            #expect(end.status == 0 && !end.errors.contains("tries it"), "run \(run), nothing is left: \(end.errors)")
        }
        #expect(try trial.records()["t1.txt"]?.outcome == .delivered)
        try open(2, "fail", "permanent")
        #expect(try runIntoClosedPipe(deliver).status == 1, "it failed, and is not open")
        try open(3, "good")
        try FileManager.default.removeItem(atPath: trial.folder["sinks"].string)
        #expect(try runIntoClosedPipe(deliver).status == 1, "no run can make it, so nothing was stopped")
    }

    @Test func aClosedPipeStopsDeliveries() throws {
        try trial.install(["good"])
        try trial.writeTexts(1...200)
        #expect(try trial.ingest(["--no-deliver"]).status == 0)
        let end = try runIntoClosedPipe(["deliver", "--no-sandbox"])
        let open = try trial.program.run(["list", "--pending", "--json"]).messages.count
        // The sink may be faster than the reports.
        #expect(end.status == (open == 0 ? 0 : 130))
        #expect(end.errors.contains("sluice deliver --container") == (open > 0), "\(end.errors)")
    }

    /// The whole input is in before the first line is written. So at most the delivery is left, and no rest.
    @Test(arguments: [[], ["--json"]]) func anIngestIntoAClosedPipeNamesWhatIsLeft(_ form: [String]) throws {
        try trial.install(["good"], secrets: ["token"])
        try trial.writeTexts(1...1)
        let ingest = ["ingest", "--no-sandbox", trial.folder["in"].string] + form
        let all = try runIntoClosedPipe(ingest + ["--no-deliver"])
        #expect(all.status == 0 && !all.errors.contains("rest"), "\(all.errors)")
        let left = try runIntoClosedPipe(ingest)
        #expect(left.status == 1 && !left.errors.contains("rest"), "\(left.errors)")
        let command = "sluice deliver --container \(trial.program.container)"
        #expect(left.errors.contains(command + (form.isEmpty ? " tries it" : " makes the open delivery")))
        try trial.install(["good"])
        #expect(try deliver().map(\.outcome) == [.delivered])
        #expect(try runIntoClosedPipe(ingest).status == 0)
    }

    @Test(arguments: ["permanent", "auth"]) func whatWillNotPassWaitsForAPerson(_ kind: String) throws {
        try trial.install(["fail", kind])
        try trial.writeTexts(1...1)
        #expect(try trial.ingest().status == 1)
        try trial.install(["good"])
        #expect(try deliver().isEmpty)
        let record = try #require(try trial.records()["t1.txt"])
        #expect(record.outcome == .failed)
        #expect(record.attempts == 1)
        #expect(try deliver("--retry", record.id).map(\.outcome) == [.delivered])
        #expect(try trial.records()["t1.txt"]?.attempts == 2)
    }
}
