import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer
@testable import Ingestion

/// A batch has as many transactions as its rows and texts need, because every other writer waits for each of them.
@Suite struct CommitterTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder(inMemory: true)
        container = try Container.open(at: folder["container"])
    }

    private static func intake(
        _ id: String, providers: Int = 1, text: Int = 0, names: Int = 0, replaced: Int = 0
    ) -> Intake {
        var proposal = PackageProposal.accepted(id, (0..<providers).map { "\(id) \($0)" })
        proposal.receipt.item = .init(
            index: 0, title: nil, text: String(repeating: "t", count: text), rule: "", why: "")
        if names > 0 { proposal.receipt.providers[0].suggestedName = String(repeating: "n", count: names) }
        if replaced > 0 {
            var history = PackageHistory(sourcePath: "/in/1", machine: .this)
            history.replaced = (0..<replaced).map { "\(id) \($0)" }
            proposal.history = history
        }
        return Intake(proposal)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let intake: Intake
        /// The number of such packages in the first transaction of 1,000.
        let count: Int
    }

    static let cases = [
        Case(testDescription: "small packages share one", intake: intake("a"), count: 1_000),
        Case(testDescription: "rows", intake: intake("a", providers: 1_023), count: 8),
        Case(testDescription: "replaced packages", intake: intake("a", replaced: 1_022), count: 8),
        Case(testDescription: "texts", intake: intake("a", text: 1 << 20), count: 2),
        Case(testDescription: "names", intake: intake("a", names: 1 << 19), count: 4),
        Case(testDescription: "one that is too large", intake: intake("a", text: 9 << 20), count: 1),
        Case(
            testDescription: "inputs without rows",
            intake: Intake(final: Receipt(id: "a", source: .init(kind: .file, path: "a"), outcome: .skipped)),
            count: 1_000),
    ]

    @Test(arguments: cases) func aTransactionEndsAtALimit(_ test: Case) {
        let batch = Array(repeating: test.intake, count: 1_000)[...]
        #expect(batch.firstTransaction.count == test.count)
        #expect(batch.dropFirst(997).firstTransaction.count == min(test.count, 3))
        #expect(batch.prefix(0).firstTransaction.isEmpty)
    }

    /// A bag may say a million times that one package replaced another, and bring that one a thousand times.
    @Test func replacedPackagesAreGivenOutOnce() {
        var replaced = ReplacedPackages()
        for number in 0..<ReplacedPackages.limit + 5 { replaced.add("\(number)", replacedBy: "x") }
        replaced.add("a", replacedBy: "y")
        #expect(replaced.take(by: "x") == (0..<ReplacedPackages.limit).map(String.init))
        #expect(replaced.take(by: "x").isEmpty)
        #expect(replaced.take(by: "y") == ["a"])
    }

    private func commit(_ intakes: [Intake]) async throws -> [Receipt] {
        let lock = try container.lock(.objects, .shared)
        return try await Committer(container: container).commit(StoredBatch(intakes: intakes, digests: [], lock: lock))
    }

    @Test func allReceiptsComeInOrder() async throws {
        let skipped = Intake(final: Receipt(id: "s", source: .init(kind: .file, path: "s"), outcome: .skipped))
        let (a, b) = (Self.intake("a", text: 3 << 20), Self.intake("b", text: 3 << 20))
        let intakes = [a, skipped, b, Self.intake("c"), skipped]
        #expect(try await commit(intakes).map(\.id) == ["a", "s", "b", "c", "s"])
        #expect(try container.catalog.entries().map(\.id) == ["a", "b", "c"])
    }

    /// The receipts of the packages that are durable must not be lost with the error.
    @Test func aFailureReportsTheCommittedPart() async throws {
        try SQL.script(
            folder["container"],
            """
            CREATE TRIGGER broken BEFORE INSERT ON package WHEN new.id = 'c' BEGIN SELECT RAISE(ABORT, 'broken'); END;
            """)
        let error = await #expect(throws: PartialCommit.self) {
            try await commit(["a", "b", "c"].map { Self.intake($0, text: 3 << 20) })
        }
        #expect(error?.receipts.map(\.id) == ["a", "b"])
        #expect(error?.cause is ContainerError)
        #expect(try container.catalog.entries().map(\.id) == ["a", "b"])
        await #expect(throws: ContainerError.self, "nothing is committed") {
            try await commit([Self.intake("d"), Self.intake("c")])
        }
        #expect(try container.catalog.entries().map(\.id) == ["a", "b"])
    }

    /// A delivery that was open when its package was reported may have ended later in the same run.
    @Test func theCountsAreThoseAtTheEnd() async throws {
        let committer = Committer(container: container)
        let receipts = try container.catalog.commit([
            .accepted("a", ["one"], path: "/in/1", sinks: ["s", "t"]),
            .accepted("b", ["two"], path: "/in/2", sinks: ["s"]), .accepted("c", ["three"], path: "/in/3"),
        ])
        var open = ReportedDeliveries()
        for receipt in receipts { open.add(receipt) }
        #expect(open.ids.count == 3)
        let summary = Summary(counting: receipts)
        #expect(try await committer.recount(summary, open.ids) == summary)
        let claimed = try container.claim(sink: "s", now: 0, limit: 9)
        try container.deliveries.complete(
            zip(claimed, [DeliveryOutcome.delivered, .failed]).map {
                DeliveryEnding(of: $0.0, DeliveryRecord(id: $0.0.id, sink: "s", outcome: $0.1))
            })
        var expected = summary
        expected.deliveries.pending = 1
        expected.deliveries.delivered = 1
        expected.deliveries.failed = 1
        #expect(try await committer.recount(summary, open.ids) == expected)
        #expect(try await committer.recount(summary, ["forgotten"]) == summary)
    }
}
