import GroupContainer
import ShareModel
import Testing

/// The local engines of rows keep the contracts.
@Suite struct SQLiteCatalogTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    @Test func keepsTheCatalogsContract() throws { try checkCatalog(container.catalog) }

    @Test func keepsTheContractOfRecognition() throws { try checkRecognition(container.catalog) }

    @Test func keepsTheContractOfGivenWords() throws { try checkGivenWords(container.catalog) }

    @Test func keepsTheContractOfPages() throws { try checkPages(container.catalog) }

    @Test func keepsTheContractOfDecisions() throws { try checkDecisions(container.catalog) }

    @Test func keepsTheContractOfCurrentPackages() throws { try checkCurrentPackages(container.catalog) }

    @Test func keepsTheContractOfSenders() throws { try checkSenders(container.catalog) }

    @Test func keepsTheContractOfTags() throws { try checkTags(container.catalog) }

    @Test func keepsTheContractOfSightings() throws { try checkSightings(container.catalog) }

    /// The place of a name is that of its provider.
    @Test(arguments: [
        (["a", "b\nc", "d"], ["a", "b␊c", "d"]), (["", "a\r", "", "b"], ["", "a\r", "", "b"]),
        (["a", String(repeating: "b", count: 65_535), "c"], ["a"]),
    ])
    func namesOfASightingKeepTheirPlaces(_ names: [String], _ expected: [String]) throws {
        var proposal = PackageProposal.accepted("a", names.indices.map { "\($0)" }, path: "/in/x.share")
        proposal.receipt.source = .init(kind: .share, path: "/in/x.share")
        _ = try container.catalog.commit([proposal])
        for (place, name) in names.enumerated() { proposal.receipt.providers[place].suggestedName = name }
        _ = try container.catalog.commit([proposal])
        #expect(try container.catalog.receipt("a").sightings?.map(\.names) == [expected])
    }

    @Test func keepsTheContractOfHistories() throws { try checkHistories(container.catalog) }

    /// The numbers of machines that bags name leave the first one to the packages of this container.
    @Test func aMachineOfABagIsNotTheFirst() throws {
        var proposal = PackageProposal.accepted("a", ["one"], path: "/bag/1")
        proposal.history = PackageHistory(sourcePath: "/in/1", machine: .named("two"))
        _ = try container.catalog.commit([proposal, .accepted("b", ["two"], path: "/in/1")])
        #expect(try container.catalog.receipt("a").supersededBy == nil)
        let machines = try ["one", "two"].map { try Container.open(at: folder["container"], machine: $0).catalog }
        #expect(try machines[0].commit([.accepted("c", ["three"], path: "/in/1", run: "r2")])[0].supersedes == "b")
        #expect(try machines[1].commit([.accepted("d", ["four"], path: "/in/1", run: "r2")])[0].supersedes == "a")
    }

    @Test func keepsTheQueuesContract() throws { try checkDeliveryQueue(container.deliveries, container.catalog) }

    @Test func keepsTheContractOfCircuitBreakers() throws { try checkCircuitBreakers(container.breakers) }

    @Test func aSinkThatFailsRests() throws {
        try openDeliveries(container.catalog)
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

    /// A run holds thousands of receipts. They leave large metadata out until they are reported.
    @Test(arguments: [10, 5_000]) func largeMetadataIsAddedLater(_ length: Int) throws {
        let catalog = container.catalog
        let stamp = SourceStamp(device: 1, inode: 2, size: 5, modified: 3, changed: 4)
        var proposal = PackageProposal.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])
        proposal.stamp = stamp
        let opened = try catalog.commit([proposal])
        let metadata: JSONValue = ["text": .string(String(repeating: "x", count: length))]
        let claimed = try container.deliveries.claim(sink: "s", owner: ClaimOwner(), now: 0, limit: 1, as: nil)
        let record = DeliveryRecord(id: "a1-s", sink: "s", outcome: .delivered, attempts: 1, metadata: metadata)
        _ = try container.deliveries.complete(claimed.map { DeliveryEnding(of: $0, record) })
        let source = PackageSource(kind: .file, path: "/in/1", folder: nil)
        let known = try #require(try catalog.recognize([(source, stamp)])[0])
        let receipts = [
            try catalog.refresh(opened)[0], try catalog.commit([proposal])[0],
            ReceiptComposer.receipt(of: source, unchangedSince: known, run: "r2"),
        ]
        for receipt in receipts {
            let short = try #require(receipt.providers.first?.deliveries.first)
            #expect(short.isAbridged == (length > 4_096) && (short.metadata == nil) == short.isAbridged)
            let whole = try #require(try catalog.completed(receipt).providers.first?.deliveries.first)
            #expect(whole.metadata == metadata && !whole.isAbridged && whole.outcome == short.outcome)
        }
        #expect(try catalog.receipt("a1").providers[0].deliveries == [record])
    }

    @Test func theSizesOfObjectsAreKnown() throws {
        _ = try container.catalog.commit([.accepted("a1", ["one"])])
        #expect(try container.catalog.mayHaveObject(ofSize: 3))
        #expect(try !container.catalog.mayHaveObject(ofSize: 4))
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
