import Foundation
import ShareModel
import Testing

/// A duplicate tells the truth about the delivery that it follows, and a person can end deliveries that nothing makes.
@Suite struct DismissTests {
    private let trial: DeliveryTrial

    init() throws { trial = try DeliveryTrial() }

    private func deliver(_ options: String...) throws -> Program.End {
        try trial.program.run(["deliver", "--json", "--no-sandbox"] + options)
    }

    private func outcomes(_ end: Program.End) throws -> [DeliveryOutcome] {
        try end.receipts.map { try #require($0.providers.flatMap(\.deliveries).first).outcome }
    }

    /// Two packages with the same text for the mock.
    private func writeTwins() throws {
        let text = #"{"representations": [{"text": "the same"}]}"#
        for name in ["1", "2"] { try trial.folder.share("in/\(name)", title: name, text) }
    }

    @Test(arguments: [("failed", DeliveryOutcome.failed), ("transient", .pending)])
    func aDuplicateStandsAsTheDeliveryThatItFollows(_ failure: String, _ outcome: DeliveryOutcome) throws {
        try trial.install(["fail", failure == "failed" ? "permanent" : failure])
        try writeTwins()
        for run in 1...2 {
            let end = try trial.ingest(["--no-sandbox"])
            #expect(end.status == 1, "run \(run)")
            #expect(try outcomes(end) == [outcome, outcome])
            if run == 1 { try trial.checkLedger(end, "\(failure)") }
        }
        let listed = try trial.program.run(["list", "--quarantined", "--json"]).messages
        #expect(listed.count == (outcome == .failed ? 2 : 0))
        // The name of the duplicate opens the delivery that it follows.
        try trial.install(["good"])
        let second = try #require(try trial.program.run(["list", "--json"]).messages.last?.package?.id)
        #expect(try deliver("--retry", second).status == 0)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 0)
        #expect(try outcomes(end) == [.duplicate, .duplicate])
        #expect(try trial.records().values.map(\.outcome) == [.delivered, .duplicate])
    }

    @Test func deliveriesOfARemovedSinkAreDismissed() throws {
        try trial.install(["fail", "transient"])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-sandbox"]).status == 1)
        try FileManager.default.removeItem(atPath: trial.folder["sinks"].string)
        let left = try trial.program.run(["deliver"])
        #expect(left.status == 1)
        #expect(try pending() == 2)
        #expect(left.output.contains("sluice deliver --dismiss mock"), "\(left.output)\(left.errors)")
        let dismissed = try deliver("--dismiss", "mock")
        #expect(dismissed.status == 0)
        #expect(dismissed.output == "{\"dismissed\":2}\n")
        #expect(try trial.records().values.allSatisfy { $0.outcome == .declined })
        let why = "dismissed by a person; the last failure: as asked"
        #expect(try trial.records().values.map(\.why) == [why, why])
        #expect(try pending() == 0)
        #expect(try trial.program.run(["list", "--pending"]).errors == "no delivery is open\n")
        #expect(try trial.program.run(["deliver"]).status == 0)
        #expect(try trial.ingest().status == 0, "another sink gets the texts")
        let again = try deliver("--dismiss", "mock")
        #expect(again.status == 1, "there is nothing to dismiss")
        try trial.install(["good"])
        let packages = try trial.program.run(["list", "--json"]).messages.compactMap(\.package?.id)
        #expect(try deliver("--retry", packages[0], packages[1]).status == 0)
        #expect(try trial.records().values.filter { $0.sink == "mock" }.map(\.outcome) == [.delivered, .delivered])
    }

    private func pending() throws -> Int { try trial.program.run(["list", "--pending", "--json"]).messages.count }

    /// The reasons of open deliveries, as `sluice show` has them.
    private func shownReasons() throws -> [String] {
        try trial.program.run(["list", "--pending", "--json"]).messages.compactMap(\.package).flatMap { package in
            try trial.program.run(["show", "--json", package.id]).receipt.providers.flatMap(\.deliveries)
        }.compactMap(\.why)
    }

    private func heldSinks() throws -> [String] { try SQL.run(trial.program.container, "SELECT sink FROM held_sink") }

    /// The reason of the last failure stays, with the absence beside it, until the sink is back.
    @Test func aReceiptSaysThatTheSinkIsGone() throws {
        try trial.install(["fail", "transient", "100", "600000"])
        try trial.writeTexts(1...1)
        #expect(try trial.ingest(["--no-sandbox"]).status == 1)
        _ = try trial.program.run(["deliver", "--due", "--no-sandbox"])
        #expect(try heldSinks().isEmpty, "the sink is there")
        let sinks = trial.folder["sinks"].string
        try FileManager.default.moveItem(atPath: sinks, toPath: sinks + "-away")
        let gone = "as asked; no enabled sink has this identifier"
        _ = try trial.ingest()
        for run in ["an ingest", "a delivery"] {
            #expect(try shownReasons().contains { $0.hasPrefix(gone) }, "after \(run)")
            #expect(try heldSinks().isEmpty, "after \(run)")
            let end = try trial.program.run(["deliver", "--due"])
            #expect(end.status == 1 && end.output.contains(gone), "\(end)")
        }
        let package = try #require(try trial.program.run(["list", "--pending", "--json"]).messages.first?.package?.id)
        let shown = try trial.program.run(["show", package]).output
        #expect(shown.contains(gone) && shown.contains("`sluice deliver --dismiss mock"), "\(shown)")
        try FileManager.default.moveItem(atPath: sinks + "-away", toPath: sinks)
        _ = try trial.program.run(["deliver", "--due", "--no-sandbox"])
        #expect(try trial.records()["t1.txt", of: "mock"]?.why == "as asked", "it is back, and nothing is due")
        #expect(try heldSinks().isEmpty)
    }

    /// A pause goes on after its sink is back.
    @Test func deliveriesOfASinkThatIsBackAreMade() throws {
        try trial.install(["good"])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-deliver"]).status == 0)
        let sinks = trial.folder["sinks"].string
        try FileManager.default.moveItem(atPath: sinks, toPath: sinks + "-away")
        #expect(try deliver().status == 1)
        #expect(try shownReasons().filter { $0.hasPrefix("no enabled sink") }.count == 2)
        try SQL.run(trial.program.container, "INSERT INTO held_sink VALUES ('mock', 1, 1, 'it was down')")
        #expect(try deliver("--due").status == 1)
        let words = "it was down; no enabled sink has this identifier"
        #expect(try shownReasons().filter { $0.hasPrefix(words) }.count == 2, "a pause has its reason too")
        #expect(try SQL.run(trial.program.container, "SELECT failures FROM held_sink") == ["1"])
        try FileManager.default.moveItem(atPath: sinks + "-away", toPath: sinks)
        #expect(try deliver("--due").status == 0)
        #expect(try trial.records().values.map(\.outcome) == [.delivered, .delivered])
        #expect(try heldSinks().isEmpty)
    }

    /// The sink, a package of it and that package's delivery: each delivery counts once.
    @Test func namesMayOverlap() throws {
        try trial.install(["fail", "transient"])
        try trial.writeTexts(1...2)
        #expect(try trial.ingest(["--no-sandbox"]).status == 1)
        let packages = try trial.program.run(["list", "--json"]).messages.compactMap(\.package?.id)
        let shown = try trial.program.run(["show", "--json", packages[0]]).receipt
        let delivery = try #require(shown.providers[0].deliveries.first?.id)
        for names in [["mock", packages[0], delivery], [delivery, packages[0], "mock"], ["mock", "mock"]] {
            let end = try trial.program.run(["deliver", "--json", "--dismiss"] + names)
            #expect(end.status == 0 && end.output == "{\"dismissed\":2}\n", "\(end.errors)")
            #expect(try trial.records().values.allSatisfy { $0.outcome == .declined })
            _ = try deliver("--retry", packages[0], delivery, packages[1])
        }
    }

    @Test(arguments: ["--due", "--wait", "--retry"]) func dismissingExcludesDelivering(_ option: String) throws {
        let end = try trial.program.run(
            ["deliver", "--dismiss", "mock", option] + (option == "--retry" ? ["mock"] : []))
        #expect(end.status == 64 && end.errors.contains("--dismiss"))
    }
}
