import Foundation
import Ingestion
import ShareModel
import SystemPackage
import Testing

/// A sink that hangs does not hold up other sinks. It holds up the intake only after several batches.
@Suite struct SlowSinkTests {
    private let trial: DeliveryTrial

    init() throws {
        trial = try DeliveryTrial()
        try trial.install(["hang", "--record", trial.record], stall: 600)
    }

    /// The other sink gets its deliveries of all batches, although the first batch is not settled.
    @Test(.timeLimit(.minutes(60))) func othersGoOnThroughAllBatches() async throws {
        for number in 1...9 {
            try trial.folder.write("in/\(number).bin", [0, 1, 2, UInt8(number)])
            try trial.writeTexts(number...number)
        }
        var options = IngestOptions(container: trial.program.container)
        options.sinkFolders = [trial.folder["sinks"], FilePath(Program.folder.path)]
        options.containment = .off
        options.limits.batchPackages = 3
        options.limits.settlingBatches = 20
        let (pipeline, input) = (Pipeline(options: options), IngestInput.paths([trial.folder["in"]]))
        let run = Task { try await pipeline.ingest(input) { _ in } }
        var deliveries: [DeliveryRecord] = []
        while deliveries.count < 18 || deliveries.contains(where: { $0.sink != "mock" && $0.outcome == .pending }) {
            try await Task.sleep(for: .zero)
            deliveries = (try? trial.records())?.values ?? []
        }
        #expect(deliveries.count { $0.sink == "keep" && $0.outcome == .delivered } == 9)
        #expect(deliveries.count { $0.sink == "mock" && $0.outcome == .pending } == 9)
        while try trial.handed().isEmpty { await Task.yield() }
        run.cancel()
        _ = await run.result
        let mine = try trial.records().values.filter { $0.sink == "mock" }
        #expect(mine.allSatisfy { $0.outcome == .pending })
        #expect(mine.map(\.attempts).sorted() == Array(repeating: 0, count: 8) + [1], "the sink got one of them")
        trial.checkLeftovers("after the interruption")
    }

    /// While one run hangs with its first delivery, it drives the deliveries of other runs.
    @Test func othersRunsAreServed() throws {
        try trial.writeTexts(1...1)
        let ingest = ["ingest", "--json", "--no-sandbox", trial.folder["in"].string]
        var served = 0
        let isKilled = try trial.program.kill(ingest) {
            guard (try? trial.records())?["t1.txt"]?.outcome == .pending else { return false }
            for number in 1...3 {
                let file = try trial.folder.write("more/\(number).bin", [0, 1, 2, UInt8(number)])
                let end = try trial.program.ingest(file)
                #expect(end.status == 0, "\(end.errors)")
                served += try end.summary.deliveries.delivered
            }
            return true
        }
        #expect(isKilled, "the first run still hangs")
        #expect(served == 3)
        #expect(try trial.records()["t1.txt"]?.outcome == .pending)
        #expect(Remains.wait(trial.folder).isEmpty)
    }
}
