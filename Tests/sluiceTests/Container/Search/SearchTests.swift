import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// Searches packages by words.
@Suite struct SearchTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func found(_ words: String..., limit: Int = 10) throws -> [String] {
        let query = try #require(SearchQuery(words))
        var ids: [String] = []
        try CatalogReader(reading: folder["container"]).search(query, limit: limit) { ids.append($0.id) }
        return ids
    }

    private func takeIn(_ id: String, name: String = "x", title: String? = nil, text: String? = nil) throws {
        var proposal = PackageProposal.accepted(id, [id], path: FilePath("/in/\(name)"), sinks: ["s"])
        proposal.receipt.providers[0].name = name
        proposal.receipt.item = .init(index: 0, title: title, text: nil, rule: "", why: "")
        proposal.text = text
        _ = try container.catalog.commit([proposal])
    }

    @Test func findsTitlesNamesAndTexts() throws {
        try takeIn("a1", name: "Rechnung März.pdf")
        try takeIn("a2", title: "Five photos")
        try takeIn("a3", text: "where we meet https://example.org/map")
        #expect(try found("marz") == ["a1"])
        #expect(try found("RECHNUNG pdf") == ["a1"])
        #expect(try found("photos") == ["a2"])
        #expect(try found("example.org") == ["a3"])
        #expect(try found("photos", "meet").isEmpty, "all words must be there")
        #expect(try found("meet", "wher") == ["a3"], "the last word may be the beginning of a word")
        #expect(try found("wher", "meet").isEmpty)
    }

    @Test func theBestComeFirstAndTheNewestOfEquals() throws {
        try takeIn("a1", name: "river.txt")
        try takeIn("a2", text: "a river, seen from far away")
        try takeIn("a3", title: "river")
        try takeIn("a4", name: "river.txt")
        #expect(try found("river") == ["a3", "a4", "a1", "a2"])
        #expect(try found("river", limit: 1) == ["a3"])
    }

    /// Texts with operators of the index's query language.
    @Test(arguments: [
        "\"", "river\"\u{301}", "river\"\u{301} OR x", "river\"", "\"river", "river*", "river OR", "NOT river",
        "title:river", "(river", "river)", "^river",
        "{a}",
        "river + lake", "NEAR(river", "river'; DROP TABLE words; --",
    ])
    func operatorsOfTheIndexAreWords(_ text: String) throws {
        try takeIn("a1", title: "a river lake, or not title river; drop table words near river")
        guard let query = SearchQuery([text]) else { return #expect(!text.contains { $0.isLetter }) }
        var count = 0
        try CatalogReader(reading: folder["container"]).search(query, limit: 10) { _ in count += 1 }
        #expect(count == 1, "\(query.match)")
    }

    @Test func findsMetadataOfSinks() throws {
        try takeIn("a1")
        let claimed = try container.claim(sink: "s", now: 0, limit: 1)
        var ending = DeliveryEnding(
            record: .init(
                id: claimed[0].id, sink: "s", outcome: .delivered, attempts: 1,
                metadata: ["title": "Quarterly", "pages": 3, "authors": ["Ada", "Grace"]]), seq: claimed[0].seq,
            fence: claimed[0].fence,
            deaths: 0)
        ending.text = "the whole text"
        try container.deliveries.complete([ending])
        for word in ["quarterly", "grace", "whole"] { #expect(try found(word) == ["a1"], "\(word)") }
    }

    /// A later arrival is found by its name, together with the package's title.
    @Test func findsNamesOfLaterArrivals() throws {
        try takeIn("a1", name: "letter.txt", title: "Dear Grace")
        try takeIn("a2", name: "copy of something else.txt")
        for name in ["copy.txt", "letter.txt", "copy.txt", "third.txt"] {
            try takeIn("a1", name: name, title: "Dear Grace")
        }
        #expect(try found("copy").sorted() == ["a1", "a2"])
        #expect(try found("third") == ["a1"])
        #expect(try found("grace") == ["a1"], "each package is listed once")
        #expect(try found("grace", "third") == ["a1"])
        #expect(
            try SQL.run(folder["container"], "SELECT names FROM words WHERE rowid = -1") == ["copy.txt", "third.txt"])
    }

    /// A hit that a person would not expect under its first name says which name was found.
    @Test(arguments: [
        (["holiday"], "my holiday.jpg"), (["photo"], "photo of a holiday.jpg"), (["hol"], "my holiday.jpg"),
        (["my", "hol"], "my holiday.jpg"), (["of", "holiday"], "photo of a holiday.jpg"),
        (["grace", "photo"], "photo of a holiday.jpg"), (["rivers", "photo"], "photo of a holiday.jpg"),
        // Without a hit in a later name, the latest one is said.
        (["letter"], "photo of a holiday.jpg"), (["grace"], "photo of a holiday.jpg"),
    ])
    func aHitUnderALaterNameNamesIt(_ words: [String], _ name: String) throws {
        try takeIn("a1", name: "letter.txt", title: "Dear Grace", text: "about rivers")
        for name in ["my holiday.jpg", "photo of a holiday.jpg"] { try takeIn("a1", name: name, title: "Dear Grace") }
        let query = try #require(SearchQuery(words))
        var entries: [PackageEntry] = []
        try CatalogReader(reading: folder["container"]).search(query, limit: 10) { entries.append($0) }
        let first = try #require(entries.first)
        #expect(entries.count == 1 && first.alsoNamed == name)
    }

    /// A package's text and the names of its later arrivals are in two rows.
    @Test func wordsOfATextAndOfALaterNameFindAPackage() throws {
        for (id, text) in [("a1", "about rivers"), ("a2", "about lakes"), ("a3", "about rivers")] {
            try takeIn(id, name: "letter.txt", text: text)
            if id != "a3" { try takeIn(id, name: "copy \(id).txt") }
        }
        #expect(try found("rivers", "copy") == ["a1"])
        #expect(try found("copy", "about").sorted() == ["a1", "a2"])
        #expect(try found("copy", "about", limit: 1) == ["a2"], "the newest comes first")
        #expect(try found("copy", "letter", "riv") == ["a1"])
        #expect(try found("copy", "oceans").isEmpty && found("rivers", "oceans").isEmpty)
    }

    /// Above the limit of ranked packages the newest come first.
    @Test func laterNamesAreFoundAmongManyHits() throws {
        for name in ["first.txt", "river.txt"] { try takeIn("a1", name: name) }
        try SQL.run(
            folder["container"],
            """
            WITH RECURSIVE number (it) AS (SELECT 100 UNION ALL SELECT it + 1 FROM number WHERE it < 11000)
            INSERT INTO words (rowid, title, names, body) SELECT it, '', 'river', '' FROM number
            """)
        #expect(try found("river", limit: 20_000) == ["a1"])
    }

    /// One empty file may lie under a thousand names.
    @Test func theNamesOfLaterArrivalsHaveALimit() throws {
        try takeIn("a1", name: "first.txt")
        for number in 1...50 { try takeIn("a1", name: String(repeating: "n", count: 200) + "\(number)") }
        let size = try SQL.run(folder["container"], "SELECT length(names) FROM words WHERE rowid = -1")
        #expect(size == ["\(WordsRow.laterNamesLimit)"])
    }

    @Test func wordsAfterANULAreFound() throws {
        try takeIn("a1", name: "x", title: "before\0after", text: "cap\0one river")
        for word in ["before", "after", "one", "river"] { #expect(try found(word) == ["a1"], "\(word)") }
        let entry = try #require(try container.catalog.entries().first)
        #expect(entry.title == "before\u{2400}after")
    }

    @Test func anEmptyQueryIsNone() {
        #expect(SearchQuery([]) == nil)
        #expect(SearchQuery(["  ", "-"]) == nil)
        #expect(SearchQuery([String(repeating: "a ", count: 100)])?.match.split(separator: " ").count == 33)
    }
}
