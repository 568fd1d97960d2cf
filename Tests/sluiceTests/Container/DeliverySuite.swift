// Not `@testable`, because an engine in another module must be able to keep these contracts.
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// The contract of a delivery queue and of the catalog that opens its deliveries. Both are empty.
func checkDeliveryQueue(_ queue: any DeliveryQueue, _ catalog: any Catalog) throws {
    let me = ClaimOwner()
    #expect(try queue.newest() == 0)
    #expect(try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2, as: nil).isEmpty)
    let receipts = try openDeliveries(catalog)
    let first = try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2, as: nil)
    #expect(first.map(\.id) == ["a1-s", "a2-s"], "oldest first")
    #expect(first.allSatisfy { $0.attempt == 1 && $0.deaths == 0 && !$0.isUncertain && $0.payload == "content" })
    #expect(try first.map { try $0.receipt().id } == ["a1", "a2"])
    #expect(try first.allSatisfy { try $0.receipt().providers[0].deliveries.isEmpty })
    #expect(try queue.newest() > first[1].seq)
    try queue.putBack(first)
    let again = try queue.claim(sink: "s", owner: me, now: 1_000, limit: 2, as: nil)
    #expect(again.map(\.attempt) == [1, 1], "the returned claim does not count as an attempt")
    #expect(zip(first, again).allSatisfy { $0.fence < $1.fence }, "a fencing number is never used twice")
    try checkCompletion(queue, catalog, again)
    let refreshed = try catalog.refresh(receipts).map { $0.providers[0].deliveries.map(\.outcome) }
    #expect(refreshed == [[.delivered, .pending], [.failed], [.pending]])
    let ids = receipts.flatMap { $0.providers[0].deliveries.map(\.id) }
    #expect(try catalog.outcomes(ofDeliveries: ids + ["none"]) == refreshed.flatMap(\.self))
    #expect(try catalog.entries(.troubledDeliveries).map(\.id) == ["a2"])
    #expect(try catalog.knownObjects(among: [Digest(of: "words")]).count == 1, "a product is an object")
    try checkFences(queue)
    try checkTimes(queue)
    try checkReopening(queue)
    try checkNames(queue, catalog)
    try checkFollowers(queue, catalog)
    try checkFindings(queue, catalog)
}

/// Opens deliveries of the packages `a1` to `a3` to the sink `s`, and one of `a1` to the sink `t`.
@discardableResult
func openDeliveries(_ catalog: any Catalog) throws -> [Receipt] {
    try catalog.commit([
        .accepted("a1", ["one"], path: "/in/1", sinks: ["s", "t"]),
        .accepted("a2", ["two"], path: "/in/2", sinks: ["s"]),
        .accepted("a3", ["three"], path: "/in/3", sinks: ["s"]),
    ])
}

private func checkCompletion(
    _ queue: any DeliveryQueue, _ catalog: any Catalog, _ claimed: [ClaimedDelivery]
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
    #expect(try catalog.receipt("a1").providers[0].deliveries.first == delivered)
    #expect(try catalog.receipt("a2").providers[0].deliveries == [failed])
    #expect(try queue.complete(endings) == [.stale, .stale], "a claim ends once")
    // A delivery whose package was forgotten meanwhile.
    var gone = endings[0]
    gone.seq += 1_000
    #expect(try queue.complete([gone]) == [.gone])
}

/// A process that was stopped changes nothing after another process has taken over its claims.
private func checkFences(_ queue: any DeliveryQueue) throws {
    let (dead, living) = (ClaimOwner(), ClaimOwner())
    #expect(try queue.claim(sink: "s", owner: dead, now: 1_000, limit: 9, as: nil).map(\.isUncertain) == [false])
    let old = try queue.claim(sink: "s", owner: dead, now: 1_000, limit: 9, as: nil)
    let new = try queue.claim(sink: "s", owner: living, now: 1_000, limit: 9, as: nil)
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
    #expect(try queue.claim(sink: "s", owner: me, now: 4_999, limit: 9, as: nil).isEmpty)
    #expect(try queue.openSinks(of: ["a2", "a3"], now: 4_999).isEmpty)
    #expect(try queue.openSinks(of: ["a2", "a3", "none"], now: 5_000) == ["s"])
    let due = try queue.claim(sink: "s", owner: me, now: 5_000, limit: 9, as: nil)
    #expect(due.map(\.failures) == [4])
    #expect(due.map(\.deaths) == [1])
    #expect(due.map(\.isUncertain) == [false], "its outcome is known")
    #expect(try queue.open().map(\.sink) == ["s", "t"])
    #expect(try queue.open().map(\.due) == [5_000, 0])
    #expect(try queue.open().map(\.why) == ["later", nil])
    #expect(try queue.claim(sink: "s", owner: me, now: 0, limit: 9, as: nil).isEmpty)
    try queue.makeDue(from: 5_001, now: 0)
    #expect(try queue.claim(sink: "s", owner: me, now: 0, limit: 9, as: nil).isEmpty, "its time is earlier")
    try queue.makeDue(from: 5_000, now: 7)
    try queue.makeDue(from: 8, now: 9)
    #expect(try queue.open().map(\.due) == [7, 0], "it was due before")
    #expect(try queue.claim(sink: "s", owner: me, now: 6, limit: 9, as: nil).isEmpty)
    let hurried = try queue.claim(sink: "s", owner: me, now: 7, limit: 9, as: nil)
    #expect(hurried.map(\.id) == ["a3-s"])
    let delivered = DeliveryRecord(id: "a3-s", sink: "s", outcome: .delivered)
    #expect(try queue.complete([DeliveryEnding(of: hurried[0], delivered)]) == [.recorded])
}

private func checkReopening(_ queue: any DeliveryQueue) throws {
    let me = ClaimOwner()
    try queue.reopen(["a2-s"])
    let reopened = try queue.claim(sink: "s", owner: me, now: 0, limit: 9, as: nil)
    #expect(reopened.map(\.id) == ["a2-s"])
    #expect(reopened.map(\.attempt) == [2])
    #expect(reopened.map(\.deaths) == [0])
    let other = try queue.claim(sink: "t", owner: me, now: 0, limit: 9, as: nil)
    try queue.complete([
        DeliveryEnding(of: reopened[0], DeliveryRecord(id: "a2-s", sink: "s", outcome: .quarantined), deaths: 2),
        DeliveryEnding(of: other[0], DeliveryRecord(id: "a1-t", sink: "t", outcome: .declined)),
    ])
    try queue.reopen(["s"])
    #expect(try queue.open().map(\.sink) == ["s"], "only the delivery that failed is open again")
    #expect(try queue.claim(sink: "s", owner: me, now: 0, limit: 9, as: nil).map(\.id) == ["a2-s"])
    // A sink may take what it declined, for example with a program that it lacked.
    try queue.reopen(["t"])
    let declined = try queue.claim(sink: "t", owner: me, now: 0, limit: 9, as: nil)
    #expect(declined.map(\.id) == ["a1-t"])
    try queue.complete(
        declined.map { DeliveryEnding(of: $0, DeliveryRecord(id: $0.id, sink: "t", outcome: .declined)) })
    // The name of a single delivery opens it whatever became of it.
    try queue.reopen(["a1-s"])
    let again = try queue.claim(sink: "s", owner: me, now: 0, limit: 9, as: nil).filter { $0.id == "a1-s" }
    #expect(again.count == 1)
    try queue.complete(again.map { DeliveryEnding(of: $0, DeliveryRecord(id: $0.id, sink: "s", outcome: .delivered)) })
    for name in ["a1", "a", "x", ""] {
        #expect {
            try queue.reopen([name])
        } throws: {
            ($0 as? ContainerError)?.code == .notFound
        }
    }
}

/// The beginning of an identifier names a delivery, or all deliveries of a package.
private func checkNames(_ queue: any DeliveryQueue, _ catalog: any Catalog) throws {
    var proposal = PackageProposal.accepted("b4", ["four"], path: "/in/4", sinks: ["u", "v"])
    (proposal.deliveries[0].id, proposal.deliveries[1].id) = ("x8", "y9")
    _ = try catalog.commit([proposal])
    for (name, reopened) in [("x", ["u"]), ("b", ["u", "v"])] {
        for sink in ["u", "v"] {
            let claimed = try queue.claim(sink: sink, owner: ClaimOwner(), now: 0, limit: 9, as: nil)
            try queue.complete(
                claimed.map { DeliveryEnding(of: $0, DeliveryRecord(id: $0.id, sink: sink, outcome: .failed)) })
        }
        try queue.reopen([name])
        #expect(try queue.open().map(\.sink).filter { $0 != "s" } == reopened, "opened by \(name)")
    }
}

/// A duplicate stands as the delivery that it follows, and stands for it.
private func checkFollowers(_ queue: any DeliveryQueue, _ catalog: any Catalog) throws {
    var twins = ["c1", "c2"].map { PackageProposal.accepted($0, ["twin"], path: FilePath("/in/\($0)"), sinks: ["w"]) }
    (twins[0].deliveries[0].id, twins[1].deliveries[0].id) = ("w1", "w2")
    let receipts = try catalog.commit(twins)
    func end(_ outcome: DeliveryOutcome, why: String? = nil) throws {
        let claimed = try queue.claim(sink: "w", owner: ClaimOwner(), now: 0, limit: 9, as: nil)
        #expect(claimed.map(\.id) == ["w1"])
        let record = DeliveryRecord(id: "w1", sink: "w", outcome: outcome, why: why)
        #expect(try queue.complete(claimed.map { DeliveryEnding(of: $0, record) }) == [.recorded])
    }
    func outcomes() throws -> [DeliveryOutcome?] {
        let refreshed = try catalog.refresh(receipts).map { $0.providers[0].deliveries.first?.outcome }
        #expect(try ["c1", "c2"].map { try catalog.receipt($0).providers[0].deliveries.first?.outcome } == refreshed)
        return refreshed
    }
    #expect(receipts.map { $0.providers[0].deliveries.map(\.outcome) } == [[.pending], [.pending]])
    #expect(try queue.openSinks(of: ["c2"], now: 0) == ["w"])
    try end(.failed, why: "no room")
    #expect(try outcomes() == [.failed, .failed])
    let why = try catalog.receipt("c2").providers[0].deliveries[0].why
    #expect(why?.contains("delivery w1") == true && why?.hasSuffix("no room") == true)
    #expect(try catalog.entries(.troubledDeliveries).map(\.id).suffix(2) == ["c1", "c2"])
    try queue.reopen(["c2"])
    #expect(try outcomes() == [.pending, .pending])
    #expect(try catalog.entries(.openDeliveries).map(\.id).suffix(2) == ["c1", "c2"])
    #expect(try queue.dismiss(["w2"]) == 1)
    #expect(try catalog.receipt("c1").providers[0].deliveries[0].why == "dismissed by a person")
    #expect(try catalog.entries(.openDeliveries).allSatisfy { !["c1", "c2"].contains($0.id) })
    #expect(try outcomes() == [.declined, .declined])
    #expect(try queue.openSinks(of: ["c1", "c2"], now: .max).isEmpty)
    for name in ["c1", "w", "w1", "none"] {
        #expect {
            try queue.dismiss([name])
        } throws: {
            ($0 as? ContainerError)?.code == .notFound
        }
    }
    // Names that overlap: each delivery counts once, and none is left for the later names.
    try queue.reopen(["w1"])
    try end(.failed, why: "no room")
    #expect(try queue.dismiss(["w", "c1", "w2", "c2", "w1"]) == 1)
    let dismissed = try catalog.receipt("c1").providers[0].deliveries[0].why
    #expect(dismissed == "dismissed by a person; the last failure: no room")
    try queue.reopen(["w1", "c2", "w2", "c1"])
    try end(.delivered)
    #expect(try outcomes() == [.delivered, .duplicate])
}

/// The findings of a delivery are those of its last answer, which may be one in a bag.
private func checkFindings(_ queue: any DeliveryQueue, _ catalog: any Catalog) throws {
    let product = DeliveryRecord.Product(
        role: "text", name: "words", type: .plainText, sha256: Digest(of: "words"), size: 5)
    var recorded = DeliveryRecord(
        id: "f1-0", sink: "r", outcome: .delivered, attempts: 1, metadata: ["pages": 3], products: [product])
    recorded.isUnconfirmed = true
    var proposal = PackageProposal.accepted("f1", ["found"], path: "/bag/f1")
    let delivery = DeliveryProposal(id: "f1-0", key: "r found", sink: "r", lead: 0, payload: "content")
    var history = PackageHistory(sourcePath: "/old/f1", machine: .unknown, sightings: [], replacedBy: nil)
    history.deliveries = [RecordedDelivery(delivery, recorded)]
    proposal.history = history
    _ = try catalog.commit([proposal])
    try queue.reopen(["f1-"])
    func end(_ outcome: DeliveryOutcome, isAnswer: Bool) throws -> DeliveryRecord? {
        let claimed = try queue.claim(sink: "r", owner: ClaimOwner(), now: 0, limit: 9, as: nil)
        #expect(claimed.map(\.isUncertain) == [outcome == .pending], "the sink is asked whether it has the content")
        var ending = try DeliveryEnding(
            of: #require(claimed.first), DeliveryRecord(id: "f1-0", sink: "r", outcome: outcome))
        ending.isAnswer = isAnswer
        #expect(try queue.complete([ending]) == [.recorded])
        return try catalog.receipt("f1").providers[0].deliveries.first
    }
    for (outcome, isAnswer) in [(DeliveryOutcome.pending, false), (.failed, false), (.declined, true)] {
        let record = try end(outcome, isAnswer: isAnswer)
        #expect(record?.outcome == outcome && record?.products == (isAnswer ? [] : [product]), "\(outcome)")
        #expect(record?.metadata == (isAnswer ? nil : ["pages": 3]))
        if outcome == .failed { try queue.reopen(["f1-"]) }
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
    try breakers.release(from: 9_001)
    #expect(try breakers.held("s") == rest, "it ends earlier")
    try breakers.release(from: 9_000)
    #expect(try breakers.held("s") == nil)
    #expect(try breakers.held("t") != nil)
    try breakers.hold(rest)
    try breakers.release(from: 0)
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
    try container.endWaits(now: 5_000)
    #expect(try container.claim(sink: "s", now: 5_000, limit: 9).count == 3)
}
