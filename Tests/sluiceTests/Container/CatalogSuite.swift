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

    var stored = settled[0]
    stored.received = "2026-01-01T00:00:00Z"
    for prefix in ["aa1", "aa"] { #expect(try catalog.receipt(prefix) == stored) }
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
    #expect(try catalog.knownPackages(among: ["aa1", "ac3", "aa", "none"]) == ["aa1"], "a failure is not known")
    #expect(try catalog.forgottenPackages(among: ["aa1": [], "none": []]).isEmpty)

    let again = try catalog.commit([.accepted("aa1", ["one"], path: "/in/1", run: "r2", sinks: ["s"])])
    #expect(again.map(\.outcome) == [.duplicate])
    #expect(again.map(\.storedBytes) == [0])
    #expect(again.map(\.duplicateOf) == ["aa1"])
    #expect(again[0].providers[0].deliveries.map(\.outcome) == [.pending], "it is still open")
    #expect(try catalog.entries().count == 3)
    // An edited source is a new package that replaces the old one.
    #expect(try catalog.commit([.accepted("ad4", ["edited"], path: "/in/2", run: "r2")])[0].supersedes == "ab2")
    #expect(try catalog.entries().map(\.supersededBy) == [nil, "ad4", nil, nil])
    #expect(try catalog.receipt("ab2").supersededBy == "ad4")
}

/// The contract of a catalog about paths that yield each other's content.
func checkCurrentPackages(_ catalog: any Catalog) throws {
    var clock: Int64 = 0
    // Returns the identifiers of the current packages.
    func yield(_ path: FilePath, _ id: String, _ kind: PackageSource.Kind = .file) throws -> [String] {
        clock += 1
        var proposal = PackageProposal.accepted(id, ["content of \(id)"], path: path, run: "\(clock)")
        proposal.receipt.source.kind = kind
        // A file that has just changed has no stamp.
        if clock % 2 == 0 {
            proposal.stamp = SourceStamp(device: 1, inode: clock, size: 5, modified: clock, changed: clock)
        }
        _ = try catalog.commit([proposal])
        return try catalog.entries().filter { $0.supersededBy == nil }.map(\.id)
    }
    #expect(try yield("/in/x", "a") == ["a"])
    #expect(try yield("/in/y", "b") == ["a", "b"])
    // The two files swap their names.
    #expect(try yield("/in/x", "b") == ["b"])
    #expect(try yield("/in/y", "a") == ["a", "b"], "what a file yields now is current")
    #expect(try yield("/in/x", "c") == ["a", "c"], "no path yields the second content now, the other one the first")
    #expect(try yield("/in/y", "d") == ["c", "d"])
    #expect(try yield("/in/x", "a") == ["a", "d"])
    #expect(try yield("/in/x", "e") == ["d", "e"])
    // A copy at a second path goes with the last path that leaves it, whichever that is.
    #expect(try yield("/in/y", "e") == ["e"])
    #expect(try yield("/in/x", "f") == ["e", "f"])
    #expect(try yield("/in/y", "g") == ["f", "g"], "the second path left the content that came from the first one")
    #expect(try yield("/in/y", "f") == ["f"])
    // A path that cannot be read still counts as the source of what it yielded last.
    var failure = PackageProposal.accepted("failure", [], path: "/in/y", run: "failure")
    failure.receipt.outcome = .failed
    _ = try catalog.commit([failure])
    #expect(try yield("/in/x", "h") == ["f", "failure", "h"])
    #expect(try yield("/in/y", "i") == ["h", "i"])
    // Shares swap their names too.
    #expect(try yield("/in/s.share", "s", .share) == ["h", "i", "s"])
    #expect(try yield("/in/t.share", "t", .share) == ["h", "i", "s", "t"])
    #expect(try yield("/in/s.share", "t", .share) == ["h", "i", "t"])
    for _ in 1...2 {
        #expect(try yield("/in/t.share", "s", .share) == ["h", "i", "s", "t"])
        #expect(try yield("/in/s.share", "t", .share) == ["h", "i", "s", "t"])
    }
}

/// The contract of a catalog about shares with one identifier of their sender.
func checkSenders(_ catalog: any Catalog) throws {
    var run = 0
    // Returns the identifiers of the current packages.
    func send(_ id: String, _ path: FilePath? = nil) throws -> [String] {
        run += 1
        var proposal = PackageProposal.accepted(id, ["content of \(id)"], path: path, sender: "me", run: "\(run)")
        proposal.receipt.source.kind = path == nil ? .standardInput : .share
        _ = try catalog.commit([proposal])
        return try catalog.entries().filter { $0.supersededBy == nil }.map(\.id)
    }
    #expect(try send("a", "/in/a.share") == ["a"])
    #expect(try send("b", "/in/b.share") == ["b"])
    // A walk over both finds nothing new.
    for path in ["a", "b", "a"] { #expect(try send(path, FilePath("/in/\(path).share")) == ["b"]) }
    #expect(try send("b", "/in/a.share") == ["b"])
    #expect(try send("a", "/in/a.share") == ["a"], "the share has its earlier content again")
    #expect(try send("c") == ["c"])
    #expect(try send("a", "/in/a.share") == ["c"], "an old share undoes nothing")
    #expect(try send("a") == ["a"], "a share without a path is sent anew")
}

/// The contract of a catalog about the tags of a run, and of a bag.
func checkTags(_ catalog: any Catalog) throws {
    func tags(_ words: String...) throws -> [PackageTag] { try words.map { try #require(PackageTag($0)) } }
    func commit(_ id: String, _ tags: [PackageTag], failed: Bool = false, bag: [PackageTag]? = nil) throws -> Receipt {
        let path = FilePath("/in/\(id)")
        var proposal: PackageProposal = failed ? .failed(id, path: path) : .accepted(id, ["tagged \(id)"], path: path)
        proposal.tags = tags
        proposal.history = bag.map { PackageHistory(sourcePath: nil, machine: .unknown, tags: $0) }
        let receipt = try #require(try catalog.commit([proposal]).first)
        #expect(receipt.tags == nil, "only a receipt that is read has them")
        return receipt
    }
    _ = try commit("t1", tags("Taxes", "2024"))
    #expect(try catalog.receipt("t1").tags == ["2024", "Taxes"])
    #expect(try commit("t1", tags("taxes", "home")).outcome == .duplicate)
    #expect(try catalog.receipt("t1").tags == ["2024", "home", "Taxes"], "the first spelling stays")
    _ = try commit("t1", [])
    #expect(try catalog.receipt("t1").tags?.count == 3)
    for word in ["one", "two"] { _ = try commit("t2", tags(word), failed: true) }
    #expect(try catalog.receipt("t2").tags == ["one", "two"], "a failure that fails again")
    // A bag changes nothing of a package that is there; the run does.
    _ = try commit("t3", tags("run"), bag: tags("bag", "TAXES"))
    #expect(try catalog.receipt("t3").tags == ["bag", "run", "TAXES"])
    _ = try commit("t3", tags("again"), bag: tags("other"))
    #expect(try catalog.receipt("t3").tags == ["again", "bag", "run", "TAXES"])
    _ = try commit("t4", [])
    #expect(try catalog.receipt("t4").tags == nil)
    let taxes = try tags("taxes")[0]
    #expect(try catalog.entries(.tagged(taxes)).map(\.id) == ["t1", "t3"])
    #expect(try catalog.entries().map(\.tags?.count) == [3, 2, 4, nil])

    let many = try (1...PackageTag.packageLimit + 2).map { try #require(PackageTag("n\($0)")) }
    #expect(try commit("t5", many).warnings.contains { $0.hasSuffix("n101, n102; remove others first") })
    #expect(try catalog.receipt("t5").tags?.count == PackageTag.packageLimit)
    #expect(try commit("t5", tags("more")).warnings.count == 1)
    #expect(try catalog.receipt("t5").tags?.count == PackageTag.packageLimit)
}

/// The contract of a catalog about arrivals of packages that it has.
func checkSightings(_ catalog: any Catalog) throws {
    func arrive(_ path: FilePath, modified: Int64? = nil, lacking: Int = 0) throws -> [Receipt.Sighting] {
        var proposal = PackageProposal.accepted("s1", ["seen"], path: path, lacking: lacking)
        proposal.receipt.providers[0].modified = modified.map(Timestamp.init(nanoseconds:))
        _ = try catalog.commit([proposal])
        return try catalog.receipt("s1").sightings ?? []
    }
    #expect(try arrive("/in/s").isEmpty, "the first arrival is the package")
    #expect(try arrive("/in/s").isEmpty)
    for _ in 1...2 { #expect(try arrive("/in/copy").map(\.source.path) == ["/in/copy"]) }
    for _ in 1...2 {
        #expect(try arrive("/in/s", modified: 5).map(\.modified?.nanoseconds) == [nil, 5], "another time")
    }
    #expect(try arrive("/in/s", modified: 5).map(\.names) == [nil, nil], "the name of a file is in its path")
    #expect(try catalog.receipt("s1").moreSightings == nil)
    for number in 1...Receipt.sightingLimit { _ = try arrive(FilePath("/in/\(number)")) }
    let receipt = try catalog.receipt("s1")
    #expect(receipt.sightings?.map(\.source.path) == (1...Receipt.sightingLimit).map { "/in/\($0)" }, "oldest first")
    #expect(receipt.moreSightings == 2)

    // The same attachments under other names.
    for (name, count) in [("a", 0), ("b", 1), ("b", 1), ("a", 1)] {
        var proposal = PackageProposal.accepted("s2", ["named"], path: "/in/x.share")
        proposal.receipt.source = .init(kind: .share, path: "/in/x.share")
        proposal.receipt.providers[0].name = name
        _ = try catalog.commit([proposal])
        #expect(try catalog.receipt("s2").sightings?.count ?? 0 == count)
    }
    #expect(try catalog.receipt("s2").sightings?.map(\.names) == [["b"]])
}

/// The contract of a catalog about packages that a bag records.
func checkHistories(_ catalog: any Catalog) throws {
    func proposal(
        _ id: String, _ content: String, replacedBy later: String? = nil, replaced: [String] = [],
        deliveries: [DeliveryOutcome] = []
    ) -> PackageProposal {
        var proposal = PackageProposal.accepted(id, [content], path: FilePath("/bag/\(id)"), sender: "me")
        proposal.receipt.source = .init(kind: .file, path: FilePath("/old/\(id)"))
        proposal.received = "2001-01-01T00:00:00Z"
        let seen = Receipt.Sighting(
            source: .init(kind: .file, path: "/old/copy"), names: nil, received: "2002-01-01T00:00:00Z")
        var history = PackageHistory(
            sourcePath: FilePath("/old/\(id)"), machine: .named("other"),
            sightings: [PackageSighting(seen, machine: .unknown)], replacedBy: later)
        history.replaced = replaced
        history.deliveries = deliveries.enumerated().map { place, outcome in
            let delivery = DeliveryProposal(
                id: "\(id)-\(place)", key: "\(place) \(content)", sink: "s\(place)", lead: 0, payload: "content")
            var record = DeliveryRecord(id: delivery.id, sink: delivery.sink, outcome: outcome, why: "why \(place)")
            record.attempts = outcome == .pending ? 0 : 3
            return RecordedDelivery(delivery, record)
        }
        proposal.history = history
        return proposal
    }

    // Both have one sender's identifier. The history says which one replaces the other.
    let outcomes: [DeliveryOutcome] = [.delivered, .failed, .pending, .declined]
    let batch = try catalog.commit([
        proposal("u1", "first", replacedBy: "u2", deliveries: outcomes), proposal("u2", "second", replaced: ["u1"]),
        proposal("u3", "third", replacedBy: "u9"),
    ])
    #expect(batch.map(\.outcome) == [.accepted, .accepted, .accepted])
    #expect(batch[0].providers[0].deliveries.map(\.outcome) == [.duplicate, .failed, .pending, .declined])
    let first = try catalog.receipt("u1")
    #expect(first.received == "2001-01-01T00:00:00Z" && first.source.path == "/old/u1")
    #expect(first.sightings?.map(\.received) == ["2002-01-01T00:00:00Z"])
    #expect(first.providers[0].deliveries.map(\.outcome) == outcomes)
    #expect(first.providers[0].deliveries.map(\.attempts) == [3, 3, 0, 3])
    #expect(first.providers[0].deliveries.map(\.why) == ["why 0", "why 1", "why 2", "why 3"])
    #expect(try ["u1", "u2", "u3"].map { try catalog.receipt($0).supersededBy } == ["u2", nil, nil])

    #expect(first.providers[0].deliveries.map(\.isUnconfirmed) == [true, true, nil, true])

    // A delivery with the same key is made once. A delivery that only the bag calls delivered is open then.
    var same = PackageProposal.accepted("u4", ["first"], path: "/in/u4")
    same.deliveries = [.init(id: "u4-0", key: "0 first", sink: "s0", lead: 0, payload: "content")]
    #expect(try catalog.commit([same])[0].providers[0].deliveries.map(\.outcome) == [.pending])
    let opened = try catalog.receipt("u1")
    #expect(opened.providers[0].deliveries.map(\.outcome) == [.pending, .failed, .pending, .declined])
    #expect(opened.providers[0].deliveries[0].isUnconfirmed == nil && opened.supersededBy == "u2")

    // The package itself comes in outside of the bag: all ends that only the bag says are over, and for good.
    var found = proposal("u1", "first", replacedBy: "u2", deliveries: outcomes)
    let bag = found
    found.deliveries = found.history?.deliveries.map(\.proposal) ?? []
    (found.history, found.senderID, found.run) = (nil, nil, "r2")
    #expect(try catalog.commit([found])[0].providers[0].deliveries.map(\.outcome) == outcomes.map { _ in .pending })
    _ = try catalog.commit([bag])
    let current = try catalog.receipt("u1")
    #expect(current.supersededBy == nil)
    #expect(current.providers[0].deliveries.map(\.outcome) == outcomes.map { _ in .pending })

    // A known package stays as it is, except for its sightings.
    let known = try catalog.commit([.accepted("v1", ["known"], path: "/in/v1", sinks: ["s"])])[0]
    for _ in 1...2 {
        let again = proposal("v1", "known", replacedBy: "u2", deliveries: [.delivered])
        #expect(try catalog.commit([again])[0].outcome == .duplicate)
        var receipt = try catalog.receipt("v1")
        #expect(receipt.sightings?.map(\.source.path) == ["/old/v1", "/old/copy"])
        receipt.sightings = nil
        #expect(receipt.received == "2026-01-01T00:00:00Z")
        receipt.received = nil
        #expect(receipt == known)
    }

    // A failure is recorded, and is not one of the run.
    var failed = PackageProposal.failed("w1", path: "/old/w1")
    failed.receipt.reason = "it was broken"
    failed.sourcePath = nil
    failed.history = PackageHistory(sourcePath: "/old/w1", machine: .unknown)
    for _ in 1...2 { #expect(try catalog.commit([failed]).map(\.outcome) == [.skipped]) }
    let kept = try catalog.receipt("w1")
    #expect(kept.outcome == .failed && kept.reason == "it was broken")
}

/// The contract of a catalog about proposals that add little or nothing to what is known.
func checkDecisions(_ catalog: any Catalog) throws {
    // A proposal sees those before it in its batch.
    let batch = try catalog.commit([
        .accepted("d1", ["x"], path: "/in/x", sinks: ["s"]), .accepted("d2", ["x"], path: "/in/y", sinks: ["s"]),
        .accepted("d1", ["x"], path: "/in/x", sinks: ["s"]),
    ])
    #expect(batch.map(\.outcome) == [.accepted, .accepted, .duplicate])
    #expect(batch.map(\.storedBytes) == [1, 0, 0])
    #expect(batch.map { $0.providers[0].deliveries.map(\.outcome) }.prefix(2) == [[.pending], [.pending]])
    // A sink that is installed later still gets the content.
    let later = try catalog.commit([.accepted("d1", ["x"], path: "/in/x", run: "r2", sinks: ["s", "t"])])
    #expect(later[0].providers[0].deliveries.map(\.id) == ["d1-s", "d1-t"])
    #expect(try catalog.receipt("d1").providers[0].deliveries.map(\.outcome) == [.pending, .pending])

    for run in ["r1", "r2"] {
        #expect(try catalog.commit([.failed("e1", path: "/in/e", run: run)]).map(\.outcome) == [.failed])
    }
    let whole = PackageProposal.accepted("g1", ["y", "z"], path: "/in/g")
    let part = PackageProposal.accepted("g2", ["y"], path: "/in/g", run: "r2", lacking: 1)
    #expect(try catalog.commit([whole, part])[1].duplicateOf == "g1")
    #expect(try catalog.entries().map(\.id) == ["d1", "d2", "e1", "g1"])
    // The part came in before the whole, and comes in again.
    for run in ["r1", "r2", "r3"] {
        let (part, whole): (PackageProposal, PackageProposal) = (
            .accepted("k1", ["k"], path: "/in/k", run: run, lacking: 1),
            .accepted("k2", ["k", "l"], path: "/in/k", run: run)
        )
        let receipts = try catalog.commit([part, whole])
        if run != "r1" { #expect(receipts[0].addsNothing && receipts[0].duplicateOf == "k2") }
        #expect(receipts[1].supersedes == (run == "r1" ? "k1" : nil))
        #expect(try catalog.receipt("k1").supersededBy == "k2")
        #expect(try catalog.receipt("k2").supersededBy == nil && catalog.receipt("k2").sightings == nil)
    }
    // The source could not be read meanwhile, and now a part of it can.
    for proposal: PackageProposal in [
        .accepted("m1", ["m", "n"], path: "/in/m"), .failed("m2", path: "/in/m", run: "r2"),
        .accepted("m3", ["m"], path: "/in/m", run: "r3", lacking: 1),
    ] { _ = try catalog.commit([proposal]) }
    #expect(try catalog.receipt("m2").supersededBy == "m1")
    // A link that failed is replaced by the same address, and not by one that looks like it.
    func link(_ address: String, _ proposal: (FilePath) -> PackageProposal) throws -> String? {
        var proposal = proposal(FilePath(webAddress: address))
        proposal.receipt.source = Receipt.Source(kind: .link, path: FilePath(webAddress: address))
        return try catalog.commit([proposal])[0].supersedes
    }
    #expect(try link("a/b/") { .failed("l1", path: $0) } == nil)
    #expect(try link("a/b") { .accepted("l2", ["https://a/b"], path: $0) } == nil)
    #expect(try link("a/b/") { .accepted("l3", ["https://a/b/"], path: $0) } == "l1")

    var described = PackageProposal.accepted("h1", ["h"])
    described.records = [ObjectRecord(digest: Digest(of: "description"), size: 11)]
    _ = try catalog.commit([described])
    #expect(try catalog.knownObjects(among: [Digest(of: "description")]).count == 1)
    var edited = PackageProposal.accepted("i1", ["i"], sender: "me")
    _ = try catalog.commit([edited])
    edited = .accepted("i2", ["j"], sender: "me", run: "r2")
    #expect(try catalog.commit([edited])[0].supersedes == "i1", "a sender's identifier names one share")
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
    #expect(known[0]?.files.map(\.content) == [ObjectRecord(digest: Digest(of: "known"), size: 5)])
    #expect(known[0]?.deliveries.map(\.record.id) == ["f1-s"])
    // The source yields another package now, so the old stamp is worthless.
    _ = try catalog.commit([.accepted("f2", ["another"], path: source.path, run: "r2")])
    #expect(try catalog.recognize([(source, stamp)]).map { $0?.package.id } == [nil])
    // A group of files has one stamp.
    proposal = PackageProposal.accepted("f3", ["still", "movie"], path: "/in/group")
    proposal.stamp = stamp
    _ = try catalog.commit([proposal])
    let group = try catalog.recognize([(PackageSource(kind: .group, path: "/in/group", folder: nil), stamp)])
    #expect(group[0]?.files.map(\.name) == ["still", "movie"])
    #expect(group[0]?.files.map(\.content.digest) == [Digest(of: "still"), Digest(of: "movie")])
}

/// The contract of a catalog about words that a person gave.
func checkGivenWords(_ catalog: any Catalog) throws {
    func commit(_ id: String, _ contents: [String], _ path: FilePath, title: String?, text: String? = nil) throws {
        var proposal = PackageProposal.accepted(id, contents, path: path)
        proposal.receipt.item = Receipt.Item(index: 0, title: title, text: text, rule: "", why: "")
        _ = try catalog.commit([proposal])
    }
    func words(_ path: FilePath, _ kind: PackageSource.Kind = .file) throws -> GivenWords? {
        let sources = [PackageSource(kind: kind, path: path, folder: nil)]
        return try #require(try catalog.givenWords(of: sources).first)
    }
    #expect(try catalog.givenWords(of: []).isEmpty)
    #expect(try words("/in/1") == nil)
    try commit("w1", ["one", "two"], "/in/1", title: "T")
    let title = GivenWords(title: "T", text: nil, contents: [Digest(of: "one"), Digest(of: "two")])
    for kind: PackageSource.Kind in [.file, .bundle, .group, .link] { #expect(try words("/in/1", kind) == title) }
    for kind: PackageSource.Kind in [.share, .container, .standardInput, .submitted, .other] {
        #expect(try words("/in/1", kind) == nil, "\(kind) has words of its own")
    }
    try commit("w2", ["three"], "/in/2", title: nil, text: "words")
    #expect(try words("/in/2")?.text == "words")
    try commit("w3", ["four"], "/in/2", title: nil)
    #expect(try words("/in/2") == nil, "the path yields a package without words now")
    _ = try catalog.commit([.failed("w4", path: "/in/1")])
    #expect(try words("/in/1") == title, "a failure takes nothing away")
}

/// The contract of a catalog about its pages.
func checkPages(_ catalog: any Catalog) throws {
    let names = (1...7).map { "p\($0)" }
    _ = try catalog.commit(names.map { .accepted($0, [$0], path: FilePath("/in/\($0)")) })
    _ = try catalog.commit([.failed("q1", path: "/in/q1"), .accepted("q2", ["q2"], path: "/in/q2", lacking: 1)])
    // A limit below 1 would never come to an end.
    for limit in [-1, 0, 1, 3, 9, 100] {
        let selections: [PackageSelection] = [
            .all, .outcomes([.accepted]), .outcomes([.failed, .partial]), .troubled, .warned,
        ]
        for selection in selections {
            var found: [String] = []
            var place: PackageCursor?
            repeat {
                let page = try catalog.packages(selection, after: place, limit: limit)
                #expect(page.entries.count <= max(limit, 1))
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

extension Catalog {
    func entries(_ selection: PackageSelection = .all) throws -> [PackageEntry] {
        var entries: [PackageEntry] = []
        try forEachPackage(selection) { entries.append($0) }
        return entries
    }
}
