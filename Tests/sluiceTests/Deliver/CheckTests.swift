import Foundation
import ShareModel
import SinkKit
import Testing

/// If a host was killed after the sink acted and before the host recorded the outcome, the next host queries the sink
/// first.
@Suite struct CheckTests {
    private let trial: DeliveryTrial
    private let keys: String

    init() throws {
        trial = try DeliveryTrial()
        keys = trial.folder["keys"].string
        try trial.writeTexts(1...3)
    }

    private func install(_ behavior: [String], _ options: [String]) throws {
        try trial.install(behavior + options + ["--record", trial.record])
    }

    /// Kills the host when the mock is at a point of its second delivery, and completes the deliveries by another run.
    private func run(killedAt point: String, _ options: [String]) throws -> Program.End {
        let mark = trial.folder["mark"].string
        try install(["stop", point, mark, "--nth", "2"], options)
        let ingest = ["ingest", "--json", "--no-sandbox", trial.folder["in"].string]
        #expect(try trial.program.kill(ingest) { FileManager.default.fileExists(atPath: mark) })
        try install(["good"], options)
        let end = try trial.program.run(["deliver", "--json", "--no-sandbox"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(try trial.records().values.map(\.outcome) == [.delivered, .delivered, .delivered])
        #expect(Remains.wait(trial.folder).isEmpty)
        return end
    }

    /// Checks that the host queried each delivery at most once, and before it sent the delivery's next attempt.
    private func checkHanded() throws {
        var attempts: [String: Int] = [:]
        var isAsked: Set<String> = []
        for message in try trial.told() {
            if case .check(let check) = message { #expect(isAsked.insert(check.key).inserted) }
            guard case .deliver(let delivery) = message else { continue }
            #expect(attempts[delivery.key] == nil || isAsked.contains(delivery.key), "queried before the next attempt")
            #expect(delivery.attempt > attempts[delivery.key] ?? 0)
            attempts[delivery.key] = delivery.attempt
        }
        #expect(attempts.count == 3)
    }

    @Test func whatIsPresentIsNotHandedOverAgain() throws {
        _ = try run(killedAt: "acted", ["--features", "check", "--keys", keys])
        try checkHanded()
        let handed = try trial.handed().map(\.key)
        #expect(Set(handed).count == 3)
        #expect(handed.count == 3, "each delivery was sent once")
        let done = try String(decoding: Disk.bytes(trial.folder["keys"]), as: UTF8.self).split(separator: "\n")
        #expect(Set(done).count == 3)
        #expect(done.count == 3, "each was done once")
        let settled = try trial.records().values.filter { $0.why?.contains("from an earlier attempt") == true }
        #expect(!settled.isEmpty)
        #expect(settled.allSatisfy { $0.products.isEmpty && $0.metadata == nil })
    }

    @Test func whatIsAbsentIsHandedOverAgain() throws {
        _ = try run(killedAt: "deliver-received", ["--features", "check", "--keys", keys])
        try checkHanded()
        let second = try trial.handed()[1]
        let again = try trial.handed().filter { $0.key == second.key }
        #expect(again.map(\.attempt) == [1, 2])
        #expect(again.map(\.id) == [second.id, second.id])
        #expect(try trial.records().values.contains { $0.attempts == 2 })
    }

    @Test(arguments: ["acted", "deliver-received"]) func whatIsUnknownIsHandedOverAgain(_ point: String) throws {
        _ = try run(killedAt: point, ["--features", "check"])
        try checkHanded()
        let second = try trial.handed()[1]
        #expect(try trial.handed().filter { $0.key == second.key }.map(\.attempt) == [1, 2])
        #expect(try trial.records().values.allSatisfy { $0.products.count == 1 })
    }

    @Test func aSinkWithoutTheFeatureIsNotAsked() throws {
        _ = try run(killedAt: "acted", ["--keys", keys])
        #expect(try trial.checked().isEmpty)
        let second = try trial.handed()[1]
        #expect(try trial.handed().filter { $0.key == second.key }.map(\.attempt) == [1, 2])
    }

    /// The host ended the sink after it acted and before it answered. Only the sink knows whether it acted.
    @Test func afterItsOwnDeathTheSinkIsAsked() throws {
        let options = ["--features", "check", "--keys", keys, "--record", trial.record]
        let mark = trial.folder["mark"].string
        try trial.install(["stop", "acted", mark, "--nth", "2"] + options, stall: 5)
        let end = try trial.ingest(["--no-sandbox"])
        #expect(end.status == 0, "\(end.errors)")
        #expect(FileManager.default.fileExists(atPath: mark), "the mock stopped")
        #expect(try !trial.checked().isEmpty)
        try checkHanded()
        #expect(try trial.records().values.map(\.outcome) == [.delivered, .delivered, .delivered])
        let done = try String(decoding: Disk.bytes(trial.folder["keys"]), as: UTF8.self).split(separator: "\n")
        #expect(Set(done).count == 3)
        #expect(done.count == 3, "each was done once")
    }
}
