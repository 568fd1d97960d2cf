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
        #expect(left.output.contains("sluice deliver --dismiss mock"), "\(left.output)\(left.errors)")
        let dismissed = try deliver("--dismiss", "mock")
        #expect(dismissed.status == 0)
        #expect(dismissed.output == "{\"dismissed\":2}\n")
        #expect(try trial.records().values.allSatisfy { $0.outcome == .declined && $0.why == "dismissed by a person" })
        #expect(try trial.program.run(["deliver"]).status == 0)
        #expect(try trial.ingest().status == 0, "another sink gets the texts")
        let again = try deliver("--dismiss", "mock")
        #expect(again.status == 1, "there is nothing to dismiss")
        try trial.install(["good"])
        let packages = try trial.program.run(["list", "--json"]).messages.compactMap(\.package?.id)
        #expect(try deliver("--retry", packages[0], packages[1]).status == 0)
        #expect(try trial.records().values.filter { $0.sink == "mock" }.map(\.outcome) == [.delivered, .delivered])
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
