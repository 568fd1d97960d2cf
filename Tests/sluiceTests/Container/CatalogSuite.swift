import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// What every catalog must keep; a new one is tested by one call.
func checkCatalog(_ catalog: any Catalog) throws {
    let one = Digest(of: "one")
    #expect(try catalog.knownObjects(among: [one]).isEmpty)
    #expect(try catalog.commit([]).isEmpty)

    let settled = try catalog.commit([
        .accepted("aa1", ["one"], path: "/in/1", sinks: ["s"]), .accepted("ab2", ["two"], path: "/in/2"),
        .failed("ac3", path: "/in/3"),
    ])
    #expect(settled.map(\.id) == ["aa1", "ab2", "ac3"])
    #expect(settled.map(\.outcome) == [.accepted, .accepted, .failed])
    #expect(settled.map(\.storedBytes) == [3, 3, 0])
    #expect(try catalog.knownObjects(among: [one, Digest(of: "other")]) == [one])

    for prefix in ["aa1", "aa"] { #expect(try catalog.receipt(prefix) == settled[0]) }
    for prefix in ["a", "b", "", "aa12"] {
        #expect {
            _ = try catalog.receipt(prefix)
        } throws: {
            ($0 as? ContainerError)?.code == .notFound
        }
    }
    #expect(try catalog.entries().map(\.id) == ["aa1", "ab2", "ac3"])
    #expect(try catalog.entries([.failed]).map(\.id) == ["ac3"])
    #expect(try catalog.refresh(settled) == settled)

    let again = try catalog.commit([.accepted("aa1", ["one"], path: "/in/1", run: "r2", sinks: ["s"])])
    #expect(again.map(\.outcome) == [.duplicate])
    #expect(again.map(\.storedBytes) == [0])
    #expect(again.map(\.duplicateOf) == ["aa1"])
    #expect(again[0].providers[0].deliveries.map(\.outcome) == [.pending], "still open, and told so")
    #expect(try catalog.entries().count == 3)
}

/// What every delivery queue must keep; its deliveries come in by a catalog.
func checkDeliveryQueue(_ queue: any DeliveryQueue, _ catalog: any Catalog) throws {
    _ = try catalog.commit([
        .accepted("a1", ["one"], path: "/in/1", sinks: ["s", "t"]),
        .accepted("a2", ["two"], path: "/in/2", sinks: ["s"]),
        .accepted("a3", ["three"], path: "/in/3", sinks: ["s"]),
    ])
    let first = try queue.claim(sink: "s", now: 1_000, limit: 2)
    #expect(first.map(\.id) == ["a1-s", "a2-s"], "oldest first")
    #expect(first.allSatisfy { $0.attempt == 1 && $0.deaths == 0 && !$0.isUncertain && $0.payload == "content" })
    #expect(try queue.newest() > first[1].seq)
    try queue.putBack(first)
    #expect(try queue.claim(sink: "s", now: 1_000, limit: 2).map(\.attempt) == [1, 1], "as if it had not been claimed")
    try checkCompletion(queue, catalog, first.map(\.seq))
    try checkRests(queue)
    try checkReopening(queue)
}

private func checkCompletion(_ queue: any DeliveryQueue, _ catalog: any Catalog, _ numbers: [Int64]) throws {
    let product = DeliveryRecord.Product(
        role: "text", name: "words", type: .plainText, sha256: Digest(of: "words"), size: 5)
    let delivered = DeliveryRecord(
        id: "a1-s", sink: "s", outcome: .delivered, attempts: 1, metadata: ["pages": 3], products: [product])
    let failed = DeliveryRecord(id: "a2-s", sink: "s", outcome: .failed, why: "no", attempts: 1)
    try queue.complete([
        DeliveryEnding(record: delivered, seq: numbers[0], deaths: 0),
        DeliveryEnding(record: failed, seq: numbers[1], deaths: 1),
    ])
    try queue.complete([])
    #expect(try catalog.receipt("a1").providers[0].deliveries.first == delivered)
    #expect(try catalog.receipt("a2").providers[0].deliveries == [failed])
    #expect(try catalog.knownObjects(among: [product.sha256]) == [product.sha256])
    // Its package was forgotten meanwhile.
    let gone = DeliveryRecord(id: "gone", sink: "s", outcome: .delivered)
    try queue.complete([DeliveryEnding(record: gone, seq: numbers[0] + 1_000, deaths: 0)])
}

/// What fails for now waits until its time, and so does all of a sink that fails as a whole.
private func checkRests(_ queue: any DeliveryQueue) throws {
    // What was claimed and never completed belongs to a dead run: the next one gets it, and the attempt counts.
    #expect(try queue.claim(sink: "s", now: 1_000, limit: 9).map(\.isUncertain) == [false])
    let again = try queue.claim(sink: "s", now: 1_000, limit: 9)
    #expect(again.map(\.id) == ["a3-s"])
    #expect(again.map(\.attempt) == [2])
    #expect(again.map(\.isUncertain) == [true])
    let pending = DeliveryRecord(id: "a3-s", sink: "s", outcome: .pending, why: "later", attempts: 2)
    try queue.complete([
        DeliveryEnding(record: pending, seq: again[0].seq, deaths: 0, failures: 4, due: 5_000)
    ])
    #expect(try queue.claim(sink: "s", now: 4_999, limit: 9).isEmpty)
    #expect(try !queue.isOpen(anyOf: ["a2", "a3"], now: 4_999))
    #expect(try queue.isOpen(anyOf: ["a2", "a3"], now: 5_000))
    let due = try queue.claim(sink: "s", now: 5_000, limit: 9)
    #expect(due.map(\.failures) == [4])
    #expect(due.map(\.isUncertain) == [false], "its outcome is known")

    try queue.hold(HeldSink(sink: "s", failures: 2, due: 9_000, why: "out of order"))
    #expect(try queue.claim(sink: "s", now: 8_999, limit: 9).isEmpty)
    #expect(try !queue.isOpen(anyOf: ["a2", "a3"], now: 8_999))
    let trial = try queue.claim(sink: "s", now: 9_000, limit: 9)
    #expect(trial.map(\.troubles) == [2])
    #expect(try queue.open().map(\.sink) == ["s", "t"])
    #expect(try queue.open().map(\.why) == ["out of order", nil])
    try queue.release(sink: "s")
    #expect(try queue.claim(sink: "s", now: 5_000, limit: 9).map(\.troubles) == [0])
    #expect(try queue.claim(sink: "s", now: 0, limit: 9).isEmpty)
    try queue.hurry()
    #expect(try queue.claim(sink: "s", now: 0, limit: 9).map(\.id) == ["a3-s"])
    let delivered = DeliveryRecord(id: "a3-s", sink: "s", outcome: .delivered)
    try queue.complete([DeliveryEnding(record: delivered, seq: again[0].seq, deaths: 0)])
}

private func checkReopening(_ queue: any DeliveryQueue) throws {
    try queue.reopen(["a2-s"])
    let reopened = try queue.claim(sink: "s", now: 0, limit: 9)
    #expect(reopened.map(\.id) == ["a2-s"])
    #expect(reopened.map(\.attempt) == [2])
    #expect(reopened.map(\.deaths) == [0])
    let failed = DeliveryRecord(id: "a2-s", sink: "s", outcome: .quarantined)
    let declined = DeliveryRecord(id: "a1-t", sink: "t", outcome: .declined)
    let other = try queue.claim(sink: "t", now: 0, limit: 9)
    try queue.complete([
        DeliveryEnding(record: failed, seq: reopened[0].seq, deaths: 2),
        DeliveryEnding(record: declined, seq: other[0].seq, deaths: 0),
    ])
    try queue.reopen(["s"])
    #expect(try queue.open().map(\.sink) == ["s"], "that which failed, not that which it took")
    #expect(try queue.claim(sink: "s", now: 0, limit: 9).map(\.id) == ["a2-s"])
    // What a sink declined it would decline again, unless somebody asks for just that.
    for name in ["a1-s", "a1", "a", "x", "", "t"] {
        #expect {
            try queue.reopen([name])
        } throws: {
            ($0 as? ContainerError)?.code == .notFound
        }
    }
}

extension Catalog {
    func entries(_ outcomes: Set<PackageOutcome> = []) throws -> [PackageEntry] {
        var entries: [PackageEntry] = []
        try forEachPackage(outcomes) { entries.append($0) }
        return entries
    }
}

// Packages as the pipeline proposes them.
extension PackageProposal {
    /// With `lacking` providers that could not be had, it is partial.
    static func accepted(
        _ id: String, _ contents: [String], path: FilePath? = nil, sender: String? = nil, run: String = "r1",
        lacking: Int = 0, sinks: [String] = []
    ) -> PackageProposal {
        var receipt = Receipt(
            id: id, source: .init(kind: .file, path: path ?? "-"), outcome: lacking == 0 ? .accepted : .partial)
        for (index, content) in contents.enumerated() {
            var provider = Receipt.Provider(index: index, name: content, outcome: .stored, reason: "", tried: [])
            provider.sha256 = Digest(of: content)
            provider.size = Int64(content.utf8.count)
            provider.type = .plainText
            receipt.bytes += Int64(content.utf8.count)
            receipt.providers.append(provider)
        }
        for index in 0..<lacking {
            receipt.providers.append(.init(index: contents.count + index, name: "lost", reason: "lost", tried: []))
        }
        let deliveries = sinks.map { sink in
            DeliveryProposal(id: "\(id)-\(sink)", key: "\(sink) \(contents)", sink: sink, lead: 0, payload: "content")
        }
        return PackageProposal(
            receipt: receipt, senderID: sender, sourcePath: path, received: "2026-01-01T00:00:00Z", run: run,
            deliveries: deliveries)
    }

    static func failed(_ id: String, path: FilePath, run: String = "r1") -> PackageProposal {
        PackageProposal(
            receipt: Receipt(id: id, source: .init(kind: .file, path: path), outcome: .failed), senderID: nil,
            sourcePath: path, received: "2026-01-01T00:00:00Z", run: run)
    }
}

@Suite struct SQLiteCatalogTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container(opening: folder["container"])
    }

    @Test func keepsTheCatalogsContract() throws { try checkCatalog(container.catalog) }

    @Test func keepsTheQueuesContract() throws { try checkDeliveryQueue(container.deliveries, container.catalog) }

    /// One broken proposal takes the whole batch with it: none of it is in.
    @Test func commitsAllOrNothing() throws {
        var broken = PackageProposal.accepted("a2", ["two", "three"])
        broken.receipt.providers[1].index = 0
        #expect(throws: (any Error).self) { try container.catalog.commit([.accepted("a1", ["one"]), broken]) }
        #expect(try container.catalog.entries().isEmpty)
        #expect(try container.catalog.knownObjects(among: [Digest(of: "one")]).isEmpty)
    }
}
