import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// The work for the words of a package has a limit, whatever sinks find. A trigger counts the bytes that are written to
/// the index: FTS5 tokenizes as many.
@Suite struct WordsTests {
    private let folder: TestFolder
    private let container: Container
    private var root: FilePath { folder["container"] }

    init() throws {
        folder = try TestFolder(inMemory: true)
        container = try Container.open(at: folder["container"])
        try Self.countWrites(root)
    }

    static func countWrites(_ root: FilePath) throws {
        // `SQL` divides statements at semicolons, and a trigger has one inside.
        try SQL.run(root, "CREATE TABLE written (bytes INTEGER)")
        try SQL.script(
            root,
            """
            CREATE TRIGGER count_words AFTER INSERT ON words_content BEGIN
                INSERT INTO written VALUES (length(CAST(new.c0 || new.c1 || new.c2 AS BLOB)));
            END;
            """)
    }

    static func written(_ root: FilePath) throws -> Int {
        try #require(try SQL.run(root, "SELECT coalesce(sum(bytes), 0) FROM written").first.flatMap { Int($0) })
    }

    /// Takes in a package with a delivery to each of `count` sinks; returns the endings, each with as much text as an
    /// index takes.
    private func endings(_ count: Int) throws -> [DeliveryEnding] {
        let sinks = (1...count).map { "s\($0)" }
        _ = try container.catalog.commit([.accepted("a1", ["one"], path: "/in/1", sinks: sinks)])
        return try sinks.map { sink in
            let claimed = try #require(try container.claim(sink: sink, now: 0, limit: 1).first)
            var ending = DeliveryEnding(of: claimed, DeliveryRecord(id: claimed.id, sink: sink, outcome: .delivered))
            ending.text = String(repeating: "\(sink) ", count: WordsRow.textLimit)
            return ending
        }
    }

    @Test func allDeliveriesOfAPackageShareOneUpdate() throws {
        let endings = try endings(40)
        let before = try Self.written(root)
        #expect(try container.deliveries.complete(endings).allSatisfy { $0 == .recorded })
        #expect(try Self.written(root) - before <= WordsRow.bodyLimit + 1_000)
        let size = try SQL.run(root, "SELECT length(body) FROM words")
        #expect(size == ["\(WordsRow.bodyLimit)"], "the rest is not indexed")
    }

    /// One ending at a time, as of a slow sink.
    @Test func theWordsOfAPackageHaveALimit() throws {
        let before = try Self.written(root)
        for ending in try endings(40) { #expect(try container.deliveries.complete([ending]) == [.recorded]) }
        let updates = WordsRow.bodyLimit / WordsRow.textLimit
        #expect(try Self.written(root) - before <= WordsRow.bodyLimit * updates)
    }

    /// FTS5 tokenizes the title with each update of the row, too.
    @Test func aLongTitleIsCut() throws {
        var proposal = PackageProposal.accepted("a1", ["one"], path: "/in/1", sinks: ["s"])
        let title = "first " + String(repeating: "title ", count: 200_000)
        proposal.receipt.item = Receipt.Item(index: 0, title: title, text: nil, rule: "file", why: "the only item")
        _ = try container.catalog.commit([proposal])
        #expect(try Self.written(root) <= WordsRow.titleLimit + 1_000)
        let claimed = try #require(try container.claim(sink: "s", now: 0, limit: 1).first)
        var ending = DeliveryEnding(of: claimed, DeliveryRecord(id: claimed.id, sink: "s", outcome: .delivered))
        ending.text = "found"
        #expect(try container.deliveries.complete([ending]) == [.recorded])
        #expect(try Self.written(root) <= 2 * (WordsRow.titleLimit + 1_000))
        #expect(try container.catalog.receipt("a1").item?.title == title, "the receipt has all of it")
    }

    /// A row that is nearly full is not written again for a few words.
    @Test func littleRoomIsLeftFree() throws {
        let endings = try endings(12)
        #expect(try container.deliveries.complete(Array(endings[..<4])).count == 4)
        let before = try Self.written(root)
        for ending in endings[4...] { #expect(try container.deliveries.complete([ending]) == [.recorded]) }
        #expect(try Self.written(root) == before)
    }

    /// Every other writer waits for a transaction, so large endings have several. A failure leaves the first ones.
    @Test func largeEndingsHaveSeveralTransactions() throws {
        let endings = try endings(40)
        try SQL.script(
            root,
            """
            CREATE TRIGGER broken BEFORE UPDATE ON delivery WHEN new.sink = 's30' BEGIN
                SELECT RAISE(ABORT, 'broken');
            END;
            """)
        #expect(throws: PartialCompletion.self) { try container.deliveries.complete(endings) }
        let delivered = try SQL.run(root, "SELECT count(*) FROM delivery WHERE outcome = 'delivered'")
        let count = try #require(Int(delivered[0]))
        #expect(1..<30 ~= count, "\(count)")
    }

    /// Metadata may be nested as deep as an answer allows, and is cut.
    @Test func metadataIsCut() {
        let long = JSONValue.string(String(repeating: "m", count: 1_000))
        let record = DeliveryRecord(
            id: "d", sink: "s", outcome: .delivered,
            metadata: ["a": .array(Array(repeating: long, count: 200)), "b": "last"])
        #expect(WordsRow.words(of: record, text: "text").utf8.count == WordsRow.textLimit)
        #expect(WordsRow.words(of: DeliveryRecord(id: "d", sink: "s", outcome: .failed), text: "text").isEmpty)
        let open = DeliveryRecord(id: "d", sink: "s", outcome: .pending)
        #expect(WordsRow.words(of: open, text: "text") == "text", "a sink that answered before is asked again")
    }
}
