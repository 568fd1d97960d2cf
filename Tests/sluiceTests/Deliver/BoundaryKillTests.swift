import Foundation
import ShareModel
import SystemPackage
import Testing

/// Kills the host at every boundary between messages of a delivery, then runs the same command again.
@Suite struct BoundaryKillTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        for number in 1...Boundary.deliveries { try folder.write("in/t\(number).txt", "text \(number)") }
    }

    private func program(_ container: String) -> Program {
        Program(container: folder[container], sinks: folder["\(container)-sinks"])
    }

    private var ingest: [String] { ["ingest", "--json", "--no-sandbox", folder["in"].string] }

    private func install(_ container: String, _ arguments: [String]) throws {
        let sinks = try MockSink.install(arguments, in: folder, stallSeconds: 600, into: "\(container)-sinks")
        #expect(sinks == program(container).sinks)
    }

    /// Runs the program until the boundary, and kills it there.
    private func interrupt(_ container: String, at boundary: Boundary, _ options: [String]) throws {
        let mark = folder["\(container)-mark"].string
        try? FileManager.default.removeItem(atPath: mark)
        try install(container, boundary.behavior(mark) + options)
        let program = program(container)
        let isKilled = try program.kill(ingest) {
            guard FileManager.default.fileExists(atPath: mark) else { return false }
            return try !boundary.isCommitted || outcomes(program).allSatisfy { $0 == .delivered }
        }
        #expect(isKilled, boundary.name)
    }

    private func outcomes(_ program: Program) throws -> [DeliveryOutcome] {
        try ContainerState(program.container).receipts.flatMap(\.providers).flatMap(\.deliveries).map(\.outcome)
    }

    private func finish(_ container: String, _ options: [String], _ name: Comment) throws -> ContainerState {
        try install(container, ["good"] + options)
        let end = try program(container).run(ingest)
        #expect(end.status == 0, "\(name): \(end.errors)")
        #expect(Remains.wait(folder).isEmpty, name)
        let state = try ContainerState(program(container).container)
        #expect(state.leftovers.isEmpty, name)
        return state
    }

    /// After each kill, every product is there once.
    @Test(arguments: [1, 3]) func whatTheSinkMakesIsThereOnce(_ inFlight: Int) throws {
        let options = ["--in-flight", "\(inFlight)"]
        let expected = try finish("undisturbed", options, "undisturbed")
        #expect(expected.objects.count == 2 * Boundary.deliveries)
        let boundaries = Boundary.opening + Boundary.work(1, 3) + Boundary.closing
        #expect(boundaries.count == 17)
        for (place, boundary) in boundaries.enumerated() {
            try interrupt("killed-\(place)", at: boundary, options)
            let state = try finish("killed-\(place)", options, boundary.name)
            #expect(state.objects == expected.objects, boundary.name)
            #expect(state.packages == expected.packages, boundary.name)
            #expect(state.receipts == expected.receipts, boundary.name)
        }
    }

    /// A sink that answers checks acts once on each delivery. A check follows a kill, so its boundaries need two kills.
    @Test func whatTheSinkDoesItDoesOnce() throws {
        let boundaries = Boundary.opening + Boundary.work(1, 3) + Boundary.closing + Boundary.checking
        for (place, boundary) in boundaries.enumerated() {
            let container = "uploaded-\(place)"
            let keys = folder["\(container)-keys"]
            let options = ["--features", "check", "--keys", keys.string]
            if Boundary.checking.contains(where: { $0.point == boundary.point }) {
                try interrupt(container, at: Boundary(point: "acted", delivery: 2), options)
            }
            try interrupt(container, at: boundary, options)
            let state = try finish(container, options, boundary.name)
            let deliveries = state.receipts.flatMap(\.providers).flatMap(\.deliveries)
            #expect(deliveries.count == Boundary.deliveries, boundary.name)
            #expect(deliveries.allSatisfy { $0.outcome == .delivered }, boundary.name)
            let done = try String(decoding: Disk.bytes(keys), as: UTF8.self).split(separator: "\n")
            #expect(done.count == Boundary.deliveries, boundary.name)
            #expect(Set(done).count == Boundary.deliveries, boundary.name)
        }
    }

    /// The sink has answered everything, and the host stores the products and writes their rows.
    @Test(arguments: [1, 8]) func aKillInTheMidstOfACommitCostsNothing(_ inFlight: Int) throws {
        for number in 1...60 { try folder.write("in/more/\(number).txt", "more text \(number)") }
        let options = ["--in-flight", "\(inFlight)"]
        let expected = try finish("undisturbed", options, "undisturbed")
        let count = expected.objects.count
        #expect(count == 2 * (60 + Boundary.deliveries))
        try install("killed", ["good"] + options)
        let program = program("killed")
        #expect(try program.run(ingest + ["--no-deliver"]).status == 0)
        let objects = program.container.appending("objects")
        var kills = 0
        for more in [1, 2, 5, 20, 40, 60] {
            let isKilled = try program.kill(["deliver", "--json", "--no-sandbox"]) {
                Disk.countGrandchildren(of: objects) >= count / 2 + more
            }
            if isKilled { kills += 1 }
        }
        #expect(kills > 0)
        let state = try finish("killed", options, "killed in the midst of a commit")
        #expect(state.objects == expected.objects)
        #expect(state.receipts == expected.receipts)
    }
}
