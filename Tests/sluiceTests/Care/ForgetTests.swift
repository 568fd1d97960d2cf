import Foundation
import ShareModel
import SystemPackage
import Testing

/// `sluice forget` removes a package with its own content, and nothing of another package.
@Suite struct ForgetTests {
    private let folder: TestFolder
    private var container: FilePath { folder["container"] }
    private var program: Program { Program(container: container) }

    init() throws { folder = try TestFolder() }

    private func forget(_ ids: String...) throws -> Forgotten {
        let end = try program.run(["forget", "--json"] + ids)
        #expect(end.status == 0, "\(end.errors)")
        return try #require(try end.messages.last?.forgotten)
    }

    private func show(_ id: String) throws -> Receipt { try program.run(["show", "--json", id]).receipt }

    private static let link = #"{"representations": [{"link": "https://example.org/rivers"}]}"#

    /// Two packages with the same link. The second one's delivery is a duplicate of the first one's.
    private func takeInTwins(_ options: [String]) throws -> (first: Receipt, second: Receipt) {
        try folder.share("in/1", title: "first", Self.link)
        try folder.share("in/2", title: "second", Self.link)
        let receipts = try program.ingest(folder["in"], options: options).receipts
        let outcome: DeliveryOutcome = options.isEmpty ? .duplicate : .pending
        #expect(receipts[1].providers.flatMap(\.deliveries).map(\.outcome) == [outcome])
        return (receipts[0], receipts[1])
    }

    /// A package with one open delivery, and the sink of it.
    private func takeInWithoutDelivery() throws -> (id: String, sink: String) {
        try folder.share("in/1", Self.link)
        let receipt = try program.ingest(folder["in"], options: ["--no-deliver"]).receipt
        return (receipt.id, try #require(receipt.providers.flatMap(\.deliveries).first?.sink))
    }

    @Test func nothingOfAPackageRemains() throws {
        let secret = "Zephyranthes"
        let text = #"{"representations": [{"text": "\#(secret) in a text"}]}"#
        try folder.share("in/one", id: "\(secret)-id", title: "\(secret) title", text)
        let id = try program.ingest(folder["in"]).receipt.id
        for tags in [["+\(secret)-1", "+\(secret)-2"], ["-\(secret)-1"]] {
            #expect(try program.run(["tag", id] + tags).status == 0)
            #expect(try program.run(["search", secret.lowercased()]).status == 0, "the index has its words")
        }
        let sum = try forget(String(id.prefix(8)))
        #expect(sum.packages.map(\.id) == [id])
        #expect(sum.objects > 0 && sum.bytes > 0 && sum.warnings.isEmpty)
        #expect(Disk.files(below: container.appending("objects")).isEmpty)
        for file in Disk.files(below: container) {
            let bytes = try Data(contentsOf: URL(filePath: container.appending(file).string))
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
            #expect(bytes.range(of: Data(secret.lowercased().utf8)) == nil, "\(file)")
        }
        for table in ["package", "provider", "record", "delivery", "product", "object", "source", "shelf", "tag"] {
            #expect(try SQL.run(container, "SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(
            try SQL.run(container, "SELECT kind, subject FROM change ORDER BY seq DESC LIMIT 1") == ["forgotten|\(id)"])
        #expect(try program.run(["verify"]).status == 0)
    }

    /// The circuit breaker keeps the words of a sink, which may repeat the content.
    @Test func theReasonOfAPauseIsRemoved() throws {
        let (id, sink) = try takeInWithoutDelivery()
        let why = "cannot file Zephyranthes"
        try SQL.run(
            container,
            "INSERT INTO held_sink VALUES ('\(sink)', 3, 7, '\(why)'), ('other', 3, 7, 'another reason')")
        try SQL.run(container, "UPDATE delivery SET attempts = 2, why = '\(why)'")
        _ = try forget(id)
        let held = try SQL.run(container, "SELECT failures, due, why FROM held_sink ORDER BY sink = 'other'")
        #expect(held.count == 2 && held[0].hasPrefix("3|7|") && held[1] == "3|7|another reason")
        let catalog = try Data(contentsOf: URL(filePath: container.appending("catalog.sqlite").string))
        #expect(catalog.range(of: Data("Zephyranthes".utf8)) == nil)
    }

    /// The delivery of the forgotten package was made, or never tried; or the sink cannot be started.
    @Test(arguments: [
        ("outcome = 'delivered', attempts = 1", 3), ("attempts = 0", 3), ("attempts = 1", 0),
    ])
    func anotherReasonOfAPauseIsKept(_ delivery: String, pauses: Int) throws {
        let (id, sink) = try takeInWithoutDelivery()
        try SQL.run(container, "UPDATE delivery SET \(delivery)")
        try SQL.run(container, "INSERT INTO held_sink VALUES ('\(sink)', \(pauses), 7, 'it cannot be started')")
        _ = try forget(id)
        #expect(try SQL.run(container, "SELECT why FROM held_sink") == ["it cannot be started"])
    }

    /// Other parts of the program write the readable names and the stamps.
    @Test func derivedRowsAreRemovedToo() throws {
        try folder.share("in/1", title: "Zephyranthes", #"{"representations": [{"text": "words"}]}"#)
        let id = try program.ingest(folder["in"]).receipt.id
        #expect(try program.run(["library"]).status == 0)
        #expect(Disk.files(below: container.appending("library")).count == 1)
        _ = try forget(id)
        #expect(Disk.files(below: container.appending("library")).isEmpty)
        for table in ["shelf", "source"] {
            #expect(try SQL.run(container, "SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
    }

    @Test func filesOfAPersonAreKept() throws {
        try folder.write("in/letter.txt", "words")
        let id = try program.ingest(folder["in"]).receipt.id
        #expect(try program.run(["library"]).status == 0)
        let file = try #require(Disk.files(below: container.appending("library")).first)
        try FileManager.default.removeItem(atPath: container.appending("library").appending(file).string)
        try folder.write("container/library/\(file)", "my own notes")
        #expect(try !forget(id).warnings.isEmpty)
        #expect(Disk.files(below: container.appending("library")) == [file])
    }

    @Test func contentOfOtherPackagesIsKept() throws {
        try folder.share(
            "in/1", #"{"representations": [{"text": "shared"}]}"#, #"{"representations": [{"text": "own"}]}"#)
        try folder.share("in/2", #"{"representations": [{"text": "shared"}]}"#)
        let receipts = try program.ingest(folder["in"]).receipts
        _ = try forget(receipts[0].id)
        #expect(try Disk.bytes(container.object(of: "shared")) == Array("shared".utf8))
        #expect(!FileManager.default.fileExists(atPath: container.object(of: "own").string))
        #expect(try program.run(["verify"]).status == 0)
        #expect(try program.run(["list", "--json"]).messages.compactMap(\.package).map(\.id) == [receipts[1].id])
    }

    @Test func aDuplicateInheritsTheProducts() throws {
        let twins = try takeInTwins([])
        let made = try #require(try show(twins.first.id).providers.flatMap(\.deliveries).first)
        #expect(made.outcome == .delivered && made.metadata != nil)
        #expect(try forget(twins.first.id).handedOver == 1)
        let heir = try #require(try show(twins.second.id).providers.flatMap(\.deliveries).first)
        #expect(heir.outcome == .delivered && heir.why == nil)
        #expect(heir.metadata == made.metadata && heir.products == made.products)
        #expect(try program.run(["verify"]).status == 0)
    }

    /// To forget its package is the remedy for a damaged delivery, so its followers must not keep it from that.
    @Test(arguments: ["metadata = '{'", "metadata = x'FF', why = x'FF'", "containment = 'dream'"], ["second", nil])
    func aFollowerInheritsADamagedDelivery(_ damage: String, title: String?) throws {
        try folder.share("in/1", title: "first", Self.link)
        try folder.share("in/2", title: title, Self.link)
        let ids = try program.ingest(folder["in"]).receipts.map(\.id)
        try SQL.run(container, "UPDATE delivery SET \(damage) WHERE leader IS NULL")
        #expect(try forget(ids[0]).handedOver == 1)
        // A word of a newer program stays, because that program can read it.
        guard !damage.contains("dream") else { return }
        #expect(try show(ids[1]).providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
        #expect(try program.run(["verify"]).status == 0)
    }

    /// The versions before and after the forgotten one have damaged receipts.
    @Test(arguments: ["'{'", "x'FF'", "'[]'"]) func aDamagedNeighborIsLinked(_ receipt: String) throws {
        var ids: [String] = []
        for number in 1...3 {
            try folder.write("in/letter.txt", "version \(number)")
            ids.append(try program.ingest(folder["in"]).receipt.id)
        }
        try SQL.run(container, "UPDATE package SET receipt = \(receipt) WHERE seq <> 2")
        _ = try forget(ids[1])
        let links = try SQL.run(container, "SELECT id, supersedes, superseded_by FROM package ORDER BY seq")
        #expect(links == ["\(ids[0])|None|\(ids[2])", "\(ids[2])|\(ids[0])|None"])
        _ = try forget(ids[0])
        #expect(try SQL.run(container, "SELECT supersedes FROM package") == ["None"])
    }

    @Test func aDuplicateInheritsAnOpenDelivery() throws {
        let twins = try takeInTwins(["--no-deliver"])
        #expect(try forget(twins.first.id).handedOver == 1)
        #expect(try program.run(["deliver"]).status == 0)
        #expect(try show(twins.second.id).providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
    }

    /// Neither of the two may inherit from the other.
    @Test func duplicatesCanBeForgottenTogether() throws {
        let twins = try takeInTwins([])
        let sum = try forget(twins.first.id, twins.second.id, twins.first.id)
        #expect(sum.packages.map(\.id) == [twins.first.id, twins.second.id] && sum.handedOver == 0)
        #expect(Disk.files(below: container.appending("objects")).isEmpty)
    }

    /// The middle one of three versions is forgotten; the third then follows the first.
    @Test(arguments: [0, 1, 2])
    func historyClosesOverTheGap(_ place: Int) throws {
        var ids: [String] = []
        for number in 1...3 {
            try folder.write("in/letter.txt", "version \(number)")
            ids.append(try program.ingest(folder["in"]).receipt.id)
        }
        // Only the last one's end brings the version before it back.
        let forgotten = ids.remove(at: place)
        let current = try forget(forgotten).current.map(\.id)
        #expect(current == (place == 2 ? [ids[1]] : []))
        let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(entries.map(\.supersededBy) == [ids[1], nil])
        #expect(try show(ids[1]).supersedes == ids[0])
        #expect(try show(ids[0]).supersedes == nil)
    }

    @Test func theVersionThatComesBackIsNamed() throws {
        var ids: [String] = []
        for number in 1...2 {
            try folder.write("in/letter.txt", "version \(number)")
            ids.append(try program.ingest(folder["in"]).receipt.id)
        }
        let first = ids[0].prefix(12)
        let plan = try program.run(["forget", "--dry-run", ids[1]]).output
        #expect(plan.contains("\(first)  letter.txt, the version before, would be current again\n"), "\(plan)")
        let text = try program.run(["forget", ids[1]]).output
        #expect(text.contains("\(first)  letter.txt, the version before, is current again\n"), "\(text)")
        #expect(text.contains("to forget it too: sluice forget \(first)"), "\(text)")
        #expect(try !program.run(["forget", ids[0]]).output.contains("current again"))
    }

    /// No link to a forgotten package is left, in whatever order neighbors are named.
    @Test(arguments: [[0, 1], [1, 0], [1, 2], [2, 1], [0, 1, 2], [2, 1, 0]])
    func neighborsInAHistoryAreForgottenTogether(_ places: [Int]) throws {
        var ids: [String] = []
        for number in 0...3 {
            try folder.write("in/letter.txt", "version \(number)")
            ids.append(try program.ingest(folder["in"]).receipt.id)
        }
        let chosen = places.map { ids[$0 + (places.contains(0) ? 0 : 1)] }
        #expect(try program.run(["forget"] + chosen).status == 0)
        let left = ids.filter { !chosen.contains($0) }
        let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(entries.map(\.id) == left)
        #expect(entries.map(\.supersededBy) == left.dropFirst().map(Optional.some) + [nil])
        for (place, id) in left.enumerated() {
            #expect(try show(id).supersedes == (place == 0 ? nil : left[place - 1]))
        }
    }

    /// A plan says what the command does afterwards.
    @Test func aPlanChangesNothing() throws {
        let twins = try takeInTwins([])
        try folder.write("in/letter.txt", "words")
        let letter = try program.ingest(folder["in/letter.txt"]).receipt.id
        #expect(try program.run(["library"]).status == 0)
        let (files, rows) = (Disk.files(below: container), try program.run(["changes"]).output)
        let plan = try #require(
            try program.run(["forget", "--dry-run", "--json", twins.first.id, letter]).messages.last?.forgotten)
        #expect(plan.objects > 0 && plan.bytes > 0 && plan.handedOver == 1)
        let text = try program.run(["forget", "--dry-run", letter])
        #expect(text.status == 0 && text.output.contains("would forget") && text.output.contains("would be removed"))
        #expect(try program.run(["forget", "--dry-run", "ffffffffffffffffffffffffffffffff"]).status == 1)
        #expect(Disk.files(below: container) == files)
        #expect(try program.run(["changes"]).output == rows)
        #expect(try program.run(["verify"]).status == 0)
        #expect(try forget(twins.first.id, letter) == plan)
    }

    @Test func anUnknownIDForgetsNothing() throws {
        try folder.write("in/letter.txt", "words")
        let id = try program.ingest(folder["in"]).receipt.id
        let end = try program.run(["forget", id, "ffffffffffffffffffffffffffffffff"])
        #expect(end.status == 1 && end.errors.contains("sluice list"))
        #expect(try show(id).outcome == .accepted)
        #expect(try program.run(["forget", "xyz"]).status == 64)
        var program = program
        program.variables["XDG_STATE_HOME"] = folder["state"].string
        for short in ["4", "4a"] {
            // A number is one of a list, which is gone.
            let end = try program.run(["forget", short])
            #expect(end.status == (short == "4" ? 1 : 64) && end.errors.contains("at least 4 digits"), "\(end.errors)")
        }
    }

    @Test func aForgottenPackageCanBeIngestedAgain() throws {
        try folder.write("in/letter.txt", "words")
        let id = try program.ingest(folder["in"]).receipt.id
        _ = try forget(id)
        let again = try program.ingest(folder["in/letter.txt"]).receipt
        #expect(again.id == id && again.outcome == .accepted)
        #expect(try program.run(["verify"]).status == 0)
    }
}
