// Not `@testable`, because an engine in another module must be able to keep these contracts.
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// The contract of a catalog. One call tests an engine.
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
    #expect(try catalog.entries(.outcomes([.failed])).map(\.id) == ["ac3"])
    #expect(try catalog.refresh(settled) == settled)

    let again = try catalog.commit([.accepted("aa1", ["one"], path: "/in/1", run: "r2", sinks: ["s"])])
    #expect(again.map(\.outcome) == [.duplicate])
    #expect(again.map(\.storedBytes) == [0])
    #expect(again.map(\.duplicateOf) == ["aa1"])
    #expect(again[0].providers[0].deliveries.map(\.outcome) == [.pending], "it is still open")
    #expect(try catalog.entries().count == 3)
}

/// The contract of a catalog about files that it recognizes by their stamps.
func checkRecognition(_ catalog: any Catalog) throws {
    let source = PackageSource(kind: .file, path: "/in/known", folder: nil)
    let stamp = SourceStamp(device: 1, inode: 2, size: 5, modified: 3, changed: 4)
    var proposal = PackageProposal.accepted("f1", ["known"], path: source.path, sinks: ["s"])
    proposal.stamp = stamp
    #expect(try catalog.recognize([]).isEmpty)
    _ = try catalog.commit([proposal])
    var other = stamp
    other.changed += 1
    let elsewhere = PackageSource(kind: .file, path: "/in/other", folder: nil)
    let known = try catalog.recognize([(source, stamp), (source, other), (elsewhere, stamp)])
    #expect(known.map { $0?.package.id } == ["f1", nil, nil])
    #expect(known[0]?.content == ObjectRecord(digest: Digest(of: "known"), size: 5))
    #expect(known[0]?.deliveries.map(\.record.id) == ["f1-s"])
    // The source yields another package now, so the old stamp is worthless.
    _ = try catalog.commit([.accepted("f2", ["another"], path: source.path, run: "r2")])
    #expect(try catalog.recognize([(source, stamp)]).map { $0?.package.id } == [nil])
}

/// The contract of a catalog about its pages.
func checkPages(_ catalog: any Catalog) throws {
    let names = (1...7).map { "p\($0)" }
    _ = try catalog.commit(names.map { .accepted($0, [$0], path: FilePath("/in/\($0)")) })
    _ = try catalog.commit([.failed("q1", path: "/in/q1"), .accepted("q2", ["q2"], path: "/in/q2", lacking: 1)])
    for limit in [1, 3, 9, 100] {
        for selection in [PackageSelection.all, .outcomes([.accepted]), .outcomes([.failed, .partial]), .troubled] {
            var found: [String] = []
            var place: PackageCursor?
            repeat {
                let page = try catalog.packages(selection, after: place, limit: limit)
                #expect(page.entries.count <= limit)
                found += page.entries.map(\.id)
                place = page.next
            } while place != nil
            #expect(found == found.sorted(), "oldest first")
            let whole = try catalog.packages(selection, after: nil, limit: 1_000)
            #expect(found == whole.entries.map(\.id))
            #expect(whole.next == nil)
        }
    }
    #expect(try catalog.entries(.outcomes([.failed, .partial])).map(\.id).suffix(2) == ["q1", "q2"])
    #expect(try catalog.entries(.troubledDeliveries).isEmpty)
}

/// The contract of a delivery queue.
///
/// - Parameters:
///   - open: opens deliveries of the packages `a1` to `a3` to the sink `s`, and one of `a1` to the sink `t`.
///   - record: returns a delivery as the container shows it.
func checkDeliveryQueue(
    _ queue: any DeliveryQueue, open: () throws -> Void, record: (String) throws -> DeliveryRecord?
) throws {
    let me = ClaimOwner()
    #expect(try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2).isEmpty)
    try open()
    let first = try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2)
    #expect(first.map(\.id) == ["a1-s", "a2-s"], "oldest first")
    #expect(first.allSatisfy { $0.attempt == 1 && $0.deaths == 0 && !$0.isUncertain && $0.payload == "content" })
    #expect(try queue.newest() > first[1].seq)
    try queue.putBack(first)
    let again = try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2)
    #expect(again.map(\.attempt) == [1, 1], "the returned claim does not count as an attempt")
    #expect(zip(first, again).allSatisfy { $0.fence < $1.fence }, "a fencing number is never used twice")
    try checkCompletion(queue, again, record)
    try checkFences(queue)
    try checkTimes(queue)
    try checkReopening(queue)
}

private func checkCompletion(
    _ queue: any DeliveryQueue, _ claimed: [ClaimedDelivery], _ record: (String) throws -> DeliveryRecord?
) throws {
    let product = DeliveryRecord.Product(
        role: "text", name: "words", type: .plainText, sha256: Digest(of: "words"), size: 5)
    let delivered = DeliveryRecord(
        id: "a1-s", sink: "s", outcome: .delivered, attempts: 1, metadata: ["pages": 3], products: [product])
    let failed = DeliveryRecord(id: "a2-s", sink: "s", outcome: .failed, why: "no", attempts: 1)
    let endings = [DeliveryEnding(of: claimed[0], delivered), DeliveryEnding(of: claimed[1], failed, deaths: 1)]
    #expect(try queue.complete(endings) == [.recorded, .recorded])
    #expect(try endings.map { try queue.record($0.seq) } == endings.map(\.record))
    #expect(try queue.record(queue.newest() + 1) == nil)
    #expect(try queue.complete([]).isEmpty)
    #expect(try record("a1-s") == delivered)
    #expect(try record("a2-s") == failed)
    #expect(try queue.complete(endings) == [.stale, .stale], "a claim ends once")
    // A delivery whose package was forgotten meanwhile.
    var gone = endings[0]
    gone.seq += 1_000
    #expect(try queue.complete([gone]) == [.gone])
}

/// A process that was stopped changes nothing after another process has taken over its claims.
private func checkFences(_ queue: any DeliveryQueue) throws {
    let (dead, living) = (ClaimOwner(), ClaimOwner())
    #expect(try queue.claim(sink: "s", owner: dead, now: 1_000, limit: 9).map(\.isUncertain) == [false])
    let old = try queue.claim(sink: "s", owner: dead, now: 1_000, limit: 9)
    let new = try queue.claim(sink: "s", owner: living, now: 1_000, limit: 9)
    #expect(new.map(\.id) == ["a3-s"], "a claim without an outcome is claimed again")
    #expect(new.map(\.attempt) == [3])
    #expect(new.map(\.isUncertain) == [true])
    #expect(new[0].fence > old[0].fence)
    let delivered = DeliveryRecord(id: "a3-s", sink: "s", outcome: .delivered)
    #expect(try queue.complete([DeliveryEnding(of: old[0], delivered)]) == [.stale])
    #expect(try queue.attemptAgain(old).isEmpty)
    try queue.putBack(old)
    #expect(try queue.open().map(\.count) == [1, 1], "the claims of the new owner are unchanged")
    var suspect = new[0]
    suspect.deaths = 1
    let retried = try queue.attemptAgain([suspect])
    #expect(retried.map(\.attempt) == [4])
    #expect(retried.map(\.isUncertain) == [true])
    #expect(retried.map(\.fence) == new.map(\.fence), "it is the same claim")
    let pending = DeliveryRecord(id: "a3-s", sink: "s", outcome: .pending, why: "later", attempts: 4)
    let later = DeliveryEnding(of: retried[0], pending, deaths: 1, failures: 4, due: 5_000)
    #expect(try queue.complete([later]) == [.recorded])
}

/// A delivery that failed for now is not claimed before it is due.
private func checkTimes(_ queue: any DeliveryQueue) throws {
    let me = ClaimOwner()
    #expect(try queue.claim(sink: "s", owner: me, now: 4_999, limit: 9).isEmpty)
    #expect(try queue.openSinks(of: ["a2", "a3"], now: 4_999).isEmpty)
    #expect(try queue.openSinks(of: ["a2", "a3", "none"], now: 5_000) == ["s"])
    let due = try queue.claim(sink: "s", owner: me, now: 5_000, limit: 9)
    #expect(due.map(\.failures) == [4])
    #expect(due.map(\.deaths) == [1])
    #expect(due.map(\.isUncertain) == [false], "its outcome is known")
    #expect(try queue.open().map(\.sink) == ["s", "t"])
    #expect(try queue.open().map(\.due) == [5_000, 0])
    #expect(try queue.open().map(\.why) == ["later", nil])
    #expect(try queue.claim(sink: "s", owner: me, now: 0, limit: 9).isEmpty)
    try queue.hurry()
    let hurried = try queue.claim(sink: "s", owner: me, now: 0, limit: 9)
    #expect(hurried.map(\.id) == ["a3-s"])
    let delivered = DeliveryRecord(id: "a3-s", sink: "s", outcome: .delivered)
    #expect(try queue.complete([DeliveryEnding(of: hurried[0], delivered)]) == [.recorded])
}

private func checkReopening(_ queue: any DeliveryQueue) throws {
    let me = ClaimOwner()
    try queue.reopen(["a2-s"])
    let reopened = try queue.claim(sink: "s", owner: me, now: 0, limit: 9)
    #expect(reopened.map(\.id) == ["a2-s"])
    #expect(reopened.map(\.attempt) == [2])
    #expect(reopened.map(\.deaths) == [0])
    let other = try queue.claim(sink: "t", owner: me, now: 0, limit: 9)
    try queue.complete([
        DeliveryEnding(of: reopened[0], DeliveryRecord(id: "a2-s", sink: "s", outcome: .quarantined), deaths: 2),
        DeliveryEnding(of: other[0], DeliveryRecord(id: "a1-t", sink: "t", outcome: .declined)),
    ])
    try queue.reopen(["s"])
    #expect(try queue.open().map(\.sink) == ["s"], "only the delivery that failed is open again")
    #expect(try queue.claim(sink: "s", owner: me, now: 0, limit: 9).map(\.id) == ["a2-s"])
    // A sink would decline the same delivery again, so its name does not reopen declined deliveries.
    for name in ["a1-s", "a1", "a", "x", "", "t"] {
        #expect {
            try queue.reopen([name])
        } throws: {
            ($0 as? ContainerError)?.code == .notFound
        }
    }
}

extension DeliveryEnding {
    /// The ending of a claim with this record.
    init(of claimed: ClaimedDelivery, _ record: DeliveryRecord, deaths: Int = 0, failures: Int = 0, due: Int64 = 0) {
        self.init(
            record: record, seq: claimed.seq, fence: claimed.fence, deaths: deaths, failures: failures, due: due)
    }
}

/// The contract of a store of circuit breakers.
func checkCircuitBreakers(_ breakers: any CircuitBreakerStore) throws {
    #expect(try breakers.held("s") == nil)
    let rest = HeldSink(sink: "s", failures: 2, due: 9_000, why: "out of order")
    try breakers.hold(HeldSink(sink: "s", failures: 1, due: 1, why: "before"))
    try breakers.hold(rest)
    try breakers.hold(HeldSink(sink: "t", failures: 0, due: 0, why: "no such program"))
    #expect(try breakers.held("s") == rest)
    try breakers.release(sink: "s")
    try breakers.release(sink: "none")
    #expect(try breakers.held("s") == nil)
    #expect(try breakers.held("t")?.why == "no such program")
    try breakers.hold(rest)
    try breakers.releaseAll()
    for sink in ["s", "t"] { #expect(try breakers.held(sink) == nil) }
}

/// All deliveries of a paused sink wait, whatever engines the container has.
func checkRests(_ container: Container) throws {
    let rest = HeldSink(sink: "s", failures: 2, due: 9_000, why: "out of order")
    try container.breakers.hold(rest)
    #expect(try container.claim(sink: "s", now: 8_999, limit: 9).isEmpty)
    #expect(try !container.isOpen(anyOf: ["a2", "a3"], now: 8_999))
    #expect(try container.isOpen(anyOf: ["a2", "a3"], now: 9_000))
    #expect(try container.openDeliveries().map(\.why) == ["out of order", nil])
    #expect(try container.openDeliveries().map(\.due) == [9_000, 0])
    let trial = try container.claim(sink: "s", now: 9_000, limit: 9)
    #expect(trial.map(\.troubles) == [2], "one delivery, as a trial")
    try container.deliveries.putBack(trial)
    try container.breakers.release(sink: "s")
    let all = try container.claim(sink: "s", now: 5_000, limit: 9)
    #expect(all.map(\.troubles) == [0, 0, 0])
    try container.deliveries.putBack(all)
    try container.breakers.hold(HeldSink(sink: "s", failures: 0, due: 0, why: "no such program"))
    try container.deliveries.putBack(container.claim(sink: "s", now: 0, limit: 9))
    #expect(try container.breakers.held("s") == nil, "a reason lasts until the next claim")
    try container.breakers.hold(rest)
    try container.hurry()
    #expect(try container.claim(sink: "s", now: 0, limit: 9).count == 3)
}

extension Catalog {
    func entries(_ selection: PackageSelection = .all) throws -> [PackageEntry] {
        var entries: [PackageEntry] = []
        try forEachPackage(selection) { entries.append($0) }
        return entries
    }
}

// Packages in the form that the pipeline proposes.
extension PackageProposal {
    /// The package is partial if some providers are `lacking`.
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
        container = try Container.open(at: folder["container"])
    }

    @Test func keepsTheCatalogsContract() throws { try checkCatalog(container.catalog) }

    @Test func keepsTheContractOfRecognition() throws { try checkRecognition(container.catalog) }

    @Test func keepsTheContractOfPages() throws { try checkPages(container.catalog) }

    private func open() throws {
        _ = try container.catalog.commit([
            .accepted("a1", ["one"], path: "/in/1", sinks: ["s", "t"]),
            .accepted("a2", ["two"], path: "/in/2", sinks: ["s"]),
            .accepted("a3", ["three"], path: "/in/3", sinks: ["s"]),
        ])
    }

    @Test func keepsTheQueuesContract() throws {
        try checkDeliveryQueue(container.deliveries, open: open) { id in
            try container.catalog.receipt(String(id.prefix(2))).providers[0].deliveries.first { $0.id == id }
        }
        #expect(try container.catalog.knownObjects(among: [Digest(of: "words")]).count == 1, "a product is an object")
    }

    @Test func keepsTheContractOfCircuitBreakers() throws { try checkCircuitBreakers(container.breakers) }

    @Test func aSinkThatFailsRests() throws {
        try open()
        try checkRests(container)
    }

    /// The same path on two machines is two sources. A sender's identifier means the same on all machines.
    @Test func aSourceBelongsToItsMachine() throws {
        let stamp = SourceStamp(device: 1, inode: 2, size: 5, modified: 3, changed: 4)
        func proposal(_ id: String, _ content: String) -> PackageProposal {
            var proposal = PackageProposal.accepted(id, [content], path: "/in/1", run: id)
            proposal.stamp = stamp
            return proposal
        }
        let machines = try ["one", "two"].map { try Container.open(at: folder["container"], machine: $0).catalog }
        _ = try container.catalog.commit([proposal("a", "draft")])
        #expect(try machines[1].commit([proposal("b", "other")])[0].supersedes == nil)
        #expect(
            try machines[0].commit([proposal("c", "final")])[0].supersedes == "a",
            "earlier packages belong to the first machine")
        let source = PackageSource(kind: .file, path: "/in/1", folder: nil)
        let known = try machines.map { try $0.recognize([(source, stamp)])[0]?.package.id }
        #expect(known == ["c", "b"])
        _ = try machines[0].commit([.accepted("x", ["x"], sender: "me")])
        #expect(try machines[1].commit([.accepted("y", ["y"], sender: "me", run: "r2")])[0].supersedes == "x")
    }

    /// One invalid proposal makes the whole batch fail.
    @Test func commitsAllOrNothing() throws {
        var broken = PackageProposal.accepted("a2", ["two", "three"])
        broken.receipt.providers[1].index = 0
        #expect(throws: (any Error).self) { try container.catalog.commit([.accepted("a1", ["one"]), broken]) }
        #expect(try container.catalog.entries().isEmpty)
        #expect(try container.catalog.knownObjects(among: [Digest(of: "one")]).isEmpty)
    }
}
