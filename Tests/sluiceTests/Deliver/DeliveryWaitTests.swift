import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion
@testable import SinkHost

/// The wait between two rounds of `deliver --wait`.
@Suite struct DeliveryWaitTests {
    private let trial: DeliveryTrial

    init() throws {
        trial = try DeliveryTrial()
        try trial.install(["good"])
        try trial.writeTexts(1...1)
        _ = try trial.ingest(["--no-deliver"])
    }

    private func rest(sinks: [String], due: Int64, except obstructed: Set<String> = []) throws -> Duration? {
        try SQL.run(trial.program.container, "UPDATE delivery SET due = \(due)")
        let found = sinks.map {
            InstalledSink(
                manifest: SinkManifest(id: $0, version: "1", command: ["x"], accepts: []), program: "/x", folder: "/")
        }
        let clock = Clock(now: { "" }, nanoseconds: { 1_000 * 1_000_000 })
        let registry = SinkRegistry(sinks: found)
        let accounts = AccountBook(IngestOptions(container: trial.program.container), registry)
        return try DeliveryWait(Container.open(at: trial.program.container), registry, accounts, clock)
            .rest(except: obstructed)
    }

    @Test func itLastsUntilTheNextDeliveryIsDue() throws {
        #expect(try rest(sinks: ["mock"], due: 6_000) == .milliseconds(5_001))
    }

    /// A sink may lack a secret. The last round could not start it, and to try again at once would never end.
    @Test(arguments: [0, 1, 1_000] as [Int64]) func whatCouldNotBeMadeIsNotTriedAtOnce(_ due: Int64) throws {
        #expect(try rest(sinks: ["mock"], due: due) == (due == 1_000 ? .milliseconds(1) : .seconds(10)))
    }

    /// Nothing that the wait can change is left. An earlier run's reason counts for nothing.
    @Test func aRunThatWaitsEndsIfASinkLacksItsSecret() throws {
        try trial.install(["good"], secrets: ["token"])
        let end = try trial.program.run(["deliver", "--wait", "--no-sandbox"])
        #expect(end.status == 1)
        #expect(end.output.contains("the sink mock cannot be started") && end.output.contains("token"), "\(end.output)")
        #expect(end.errors.contains("warning: the sink mock cannot be started"), "\(end.errors)")
        try trial.install(["good"])
        try SQL.run(
            trial.program.container,
            "UPDATE delivery SET due = 1; UPDATE held_sink SET due = 1, why = 'the sink mock cannot be started'")
        #expect(try trial.program.run(["deliver", "--wait", "--no-sandbox"]).status == 0)
        #expect(try trial.records()["t1.txt"]?.outcome == .delivered)
    }

    @Test func itDoesNotWaitForASinkThatIsNotThere() throws {
        #expect(try rest(sinks: ["another"], due: 6_000) == nil)
        #expect(try rest(sinks: ["mock"], due: 6_000, except: ["mock"]) == nil)
    }
}
