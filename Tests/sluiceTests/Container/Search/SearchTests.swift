import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import GroupContainer

/// Searches packages by words.
@Suite struct SearchTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func hits(_ words: [String], order: SearchIndex.Order = .best, limit: Int = 10) throws -> [SearchHit] {
        let index = try SearchIndex(of: CatalogReader(reading: folder["container"]))
        try index.update()
        var hits: [SearchHit] = []
        try index.search(SearchQuery(words), order: order, limit: limit) { hits.append($0) }
        return hits
    }

    private func found(_ words: String..., limit: Int = 10) throws -> [String] {
        try hits(words, limit: limit).map(\.entry.id)
    }

    private func takeIn(
        _ id: String, name: String = "x", in folder: String = "/in", title: String? = nil, text: String? = nil
    ) throws {
        var proposal = PackageProposal.accepted(id, [id], path: FilePath("\(folder)/\(name)"), sinks: ["s"])
        proposal.receipt.providers[0].name = name
        proposal.receipt.item = .init(index: 0, title: title, text: text, rule: "", why: "")
        _ = try container.catalog.commit([proposal])
    }

    private func deliver(_ metadata: JSONValue, text: String? = nil, type: MediaType = .plainText) throws {
        let claimed = try container.claim(sink: "s", now: 0, limit: 1)
        var record = DeliveryRecord(
            id: claimed[0].id, sink: "s", outcome: .delivered, attempts: 1, metadata: metadata)
        if let text {
            let area = try container.objects.makeStagingArea()
            try container.store([area.stage(Array(text.utf8))])
            record.products = [
                .init(
                    role: "text", name: "text.txt", type: type, sha256: Digest(of: text),
                    size: Int64(text.utf8.count))
            ]
        }
        try container.deliveries.complete([
            DeliveryEnding(record: record, seq: claimed[0].seq, fence: claimed[0].fence, deaths: 0)
        ])
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
        #expect(try found("wher", "meet") == ["a3"], "a word may be the beginning of one")
        #expect(try found("mee").isEmpty && found("mee*") == ["a3"], "a short one only with a star")
    }

    /// File names of macOS have letters in parts, some texts have ligatures, and pages have soft hyphens.
    @Test(arguments: [
        ("Юбилей", "Юбилеи\u{306}"), ("Київ", "Киі\u{308}в"), ("Αθήνα", "Αθη\u{301}να"), ("آفتاب", "ا\u{653}فتاب"),
        ("café", "cafe\u{301}"), ("가나", "\u{1100}\u{1161}\u{1102}\u{1161}"), ("কো", "ক\u{9C7}\u{9BE}"),
        ("Donaudampfschiff", "Donau\u{AD}dampf\u{AD}schiff"), ("office", "o\u{FB03}ce"), ("film", "\u{FB01}lm"),
        ("together", "to\u{2060}gether"), ("beginning", "\u{FEFF}beginning"),
    ])
    func twoSpellingsOfAWordAreOne(_ one: String, _ other: String) throws {
        try takeIn("a1", name: "\(one).txt")
        try takeIn("a2", text: "a text with \(other) in it")
        #expect(try Set(found(one)) == ["a1", "a2"])
        #expect(try Set(found(other)) == ["a1", "a2"])
    }

    /// People leave these out when they look for a word.
    @Test(arguments: [
        ("Straße", "strasse"), ("mißlich", "misslich"), ("Łódź", "lodz"), ("Ørsted", "orsted"), ("Đặng", "dang"),
        ("Ægir", "aegir"), ("ёлка", "елка"), ("Καλημέρα", "καλημερα"), ("ΆΓΓΕΛΟΣ", "αγγελος"), ("ἄνθρωπος", "ανθρωπος"),
        ("שָׁלוֹם", "שלום"), ("حَبيب", "حبيب"), ("أحمد", "احمد"), ("Frösche", "froesche"), ("Größe", "groesse"),
        ("Größe", "grosse"), ("Århus", "aarhus"), ("Ørsted", "oersted"),
    ])
    func aWordIsFoundByItsPlainSpelling(_ word: String, _ plain: String) throws {
        try takeIn("a1", name: "\(word).txt")
        try takeIn("a2", text: "a text with \(word), and more")
        try takeIn("a3", text: "a text with \(plain), and more")
        #expect(try Set(found(plain)) == ["a1", "a2", "a3"])
        #expect(try Set(found(word)) == ["a1", "a2", "a3"])
        #expect(try found("text", "-\(plain)").isEmpty)
    }

    /// The old version has the word more often.
    @Test func aReplacedVersionIsBehindTheNewOne() throws {
        try takeIn("a1", name: "plan.md", text: "walrus walrus walrus")
        try takeIn("a2", name: "plan.md", text: "a walrus, in a text that is longer")
        try takeIn(
            "a3", name: "other.md", text: "a walrus, and another text that is much longer than that of all others")
        #expect(try found("walrus") == ["a2", "a1", "a3"])
        #expect(try hits(["walrus"], order: .oldest).map(\.entry.id) == ["a1", "a2", "a3"])
    }

    /// The score alone would put the short text first: it falls with the length of a package's texts.
    @Test func anAuthorIsBeforeALongerWordInAShortText() throws {
        try takeIn("a1", name: "paper.pdf")
        try deliver(["author": "Martin Thoma"], text: String(repeating: "a long text of many words ", count: 2_000))
        try takeIn("a2", text: "martin, thomas and others")
        for number in 1...40 { try takeIn("b\(number)", text: "nothing of that kind") }
        #expect(try found("martin", "thoma") == ["a1", "a2"])
    }

    @Test func theYearAndTheMonthOfTheContentAreWords() throws {
        try takeIn("a1", name: "bridge.jpg")
        try deliver(["camera": "Canon EOS", "date": "2006-10-06T12:00:00"])
        try takeIn("a2", name: "song.mp3")
        #expect(
            try found("canon", "october", "2006") == ["a1"] && found("2006") == ["a1"] && found("october") == ["a1"])
        #expect(try found("canon", "november").isEmpty)
    }

    /// The text of a mailbox begins as a mail does, so its type is that of a mail.
    @Test func aTextOfAnotherTypeIsFound() throws {
        try takeIn("a1", name: "list.mbox")
        try deliver([:], text: "Subject: sluice gates\nFrom: ada@example.org\n\nabout varnish", type: "message/rfc822")
        #expect(try found("varnish") == ["a1"])
    }

    /// All files of a person have these folders.
    @Test func theFoldersOfAHomeAreNoWords() throws {
        try takeIn("a1", name: "plan.txt", in: "/home/ada/Downloads")
        #expect(try found("downloads") == ["a1"] && found("in:ada") == ["a1"] && found("ada").isEmpty)
    }

    @Test func smallWordsDoNotCountBesideOthers() throws {
        try takeIn("a1", title: "Ada Brook")
        try takeIn("a2", text: "the end")
        #expect(try found("mail", "OR", "letter", "from", "Ada") == [] && found("from", "Ada") == ["a1"])
        #expect(try found("the") == ["a2"] && found("by", "the") == [] && found("\"the end\"", "of") == ["a2"])
        #expect(try found("in:in", "ada").isEmpty == false && found("Ada", "-the") == ["a1"])
    }

    @Test func theMissingWordsOfAQueryAreNamed() throws {
        try takeIn("a1", title: "results of Vodafone")
        let index = try SearchIndex(of: CatalogReader(reading: folder["container"]))
        try index.update()
        #expect(
            try index.missing(SearchQuery(["vodafone", "annual", "title:xyz", "results"])) == ["annual", "title:xyz"])
        #expect(try index.missing(SearchQuery(["annual"])).isEmpty)
    }

    @Test func rawPicturesAreAKind() throws {
        try takeIn("a1", name: "DSC_0001.NEF")
        #expect(try found("camera", "OR", "raw") == ["a1"] && found("type:raw") == ["a1"])
    }

    @Test func codecsAreKinds() throws {
        try takeIn("a1", name: "film.avi")
        try deliver(["video_codec": "mjpeg", "audio_codec": "pcm_s16le"])
        #expect(try found("mjpeg") == ["a1"] && found("type:mjpeg") == ["a1"] && found("pcm_s16le") == ["a1"])
    }

    /// The second package has another title and the same content, so its sink is not asked again.
    @Test func aDuplicateIsFoundByWhatTheSinkFound() throws {
        try takeIn("a1", name: "report.pdf")
        var second = PackageProposal.accepted("a2", ["a1"], path: FilePath("/in/report.pdf"), sinks: ["s"])
        second.receipt.item = .init(index: 0, title: "Barn", text: nil, rule: "", why: "")
        _ = try container.catalog.commit([second])
        #expect(try found("barn") == ["a2"] && found("ada").isEmpty)
        try deliver(["author": "Ada"], text: "about a windmill")
        #expect(try Set(found("ada")) == ["a1", "a2"], "the change of the first package changes the second")
        #expect(try found("barn", "ada", "windmill") == ["a2"])
    }

    @Test func theBestComeFirstAndTheNewestOfEquals() throws {
        try takeIn("a1", name: "river.txt")
        try takeIn("a2", text: "a river, seen from far away")
        try takeIn("a3", title: "river")
        try takeIn("a4", name: "river.txt")
        try takeIn("a5", name: "riverside.txt")
        #expect(try found("river") == ["a3", "a4", "a1", "a5", "a2"])
        #expect(try found("river", limit: 1) == ["a3"])
    }

    /// Texts with operators of the index's query language.
    @Test(arguments: [
        "river\"\u{301}", "river\"", "\"river", "river*", "river OR", "AND river",
        "(river", "river)", "^river", "{a} river", "river + lake", "NEAR(river",
        "river'; DROP TABLE words",
        "river \" \" \"", "OR river", "OR OR river", "river -", "river --", "river :", "river*lake",
    ])
    func operatorsOfTheIndexAreWords(_ text: String) throws {
        try takeIn("a1", title: "a river lake, and not title river; drop table words near river")
        #expect(try hits([text]).count == 1)
    }

    @Test func wordsPhrasesAndFiltersCombine() throws {
        try takeIn("a1", name: "tea.txt", in: "/home/anna/Recipes", text: "green tea and honey")
        try takeIn("a2", name: "coffee.txt", in: "/home/anna/Recipes", text: "tea is green, coffee is not")
        try takeIn("a3", name: "cake.txt", in: "/home/anna/Work", text: "a cake")
        #expect(try found("\"green tea\"") == ["a1"])
        #expect(try Set(found("green tea")) == ["a1", "a2"])
        #expect(try found("tea", "-coffee") == ["a1"])
        #expect(try found("tea", "-\"green tea\"") == ["a2"])
        #expect(try Set(found("cake OR coffee")) == ["a2", "a3"])
        #expect(try found("in:work") == ["a3"] && found("in:anna/recipes", "honey") == ["a1"])
        #expect(try found("in:recipes", "-in:anna").isEmpty)
        #expect(try Set(found("sink:s")) == ["a1", "a2", "a3"] && found("s").isEmpty)
        #expect(try found("type:text", "honey") == ["a1"] && found("type:pdf").isEmpty)
        #expect(try found("type:text/*", "cake") == ["a3"] && found("cake", "-type:note").isEmpty)
        #expect(try found("tea", "in:recipes", limit: 1).count == 1)
    }

    /// The passage with all words says more than one with a word many times.
    @Test func theSnippetHasTheMostDifferentWords() throws {
        let repeats = String(repeating: "zoo, ", count: 40)
        try takeIn(
            "a1",
            text: "\(repeats)\n\(String(repeating: "far away ", count: 60))\nIrregularly spaced: the zoo. \(repeats)")
        let parts = try #require(try hits(["irregularly", "spaced", "zoo"]).first?.snippet).parts
        let marked = Set(parts.filter(\.isHit).map { $0.text.lowercased() })
        #expect(marked == ["irregularly", "spaced", "zoo"], "\(parts)")
    }

    @Test func datesAreFilters() throws {
        for (id, date) in [("a1", "2020-03-05T10:00:00"), ("a2", "2021"), ("a3", "2021-12-31T23:59:59+05:00")] {
            try takeIn(id)
            try deliver(["date": .string(date)])
        }
        #expect(try Set(found("after:2020-03-05")) == ["a1", "a2", "a3"])
        #expect(try found("before:2021") == ["a1"] && found("after:2021-12") == ["a3"])
        #expect(try Set(found("after:2021")) == ["a2", "a3"])
        #expect(
            try hits(["type:text"], order: .oldest).map(\.date) == [
                "2020-03-05T10:00:00", "2021", "2021-12-31T23:59:59",
            ])
        #expect(try hits(["type:text"], order: .newest).map(\.entry.id) == ["a3", "a2", "a1"])
        #expect(try found("after:2020", "before:2021-06") == ["a2", "a1"], "the newest first")
    }

    /// Chinese and Japanese have no spaces.
    @Test func anyTwoIdeographsAreFound() throws {
        try takeIn("a1", text: "東京都の天気は晴れです。")
        try takeIn("a2", text: "京都に行きたい")
        try takeIn("a3", text: "한국어 문장입니다")
        #expect(try found("天気") == ["a1"] && found("晴れ") == ["a1"])
        #expect(try found("京都") == ["a2", "a1"] && found("東京") == ["a1"])
        #expect(try found("都京").isEmpty)
        #expect(try found("문장*") == ["a3"])
        let snippet = try #require(try hits(["天気"]).first?.snippet)
        #expect(snippet.parts.map(\.text).joined() == "東京都の天気は晴れです。", "the separators are not shown")
        #expect(snippet.parts.filter(\.isHit).map(\.text).joined() == "天気")
    }

    /// Above the limit of ranked packages, the hits in titles and names come first, and then the newest ones.
    @Test(arguments: [1, 3, 4, 100]) func manyHitsHaveAnOrder(_ limit: Int) throws {
        for number in 1...6 {
            try takeIn(
                "a\(number)", name: "\(number).txt", title: number == 2 ? "a river" : nil,
                text: "about a river, number \(number)")
        }
        var index = try SearchIndex(of: CatalogReader(reading: folder["container"]))
        index.rankLimit = 3
        try index.update()
        var ids: [String] = []
        let hasMore = try index.search(SearchQuery(["river"]), limit: limit) { ids.append($0.entry.id) }
        #expect(ids == Array(["a2", "a6", "a5", "a4", "a3", "a1"].prefix(limit)))
        #expect(hasMore == (limit < 6))
    }

    /// The index visits each longer word, so it does so only if the word itself is rare.
    @Test func longerWordsAreFoundIfTheWordIsRare() throws {
        for number in 1...5 { try takeIn("a\(number)", text: "about a river, number \(number)") }
        try takeIn("b1", text: "the riverside")
        var index = try SearchIndex(of: CatalogReader(reading: folder["container"]))
        try index.update()
        index.rankLimit = 3
        for (limit, expected) in [(4, ["a5", "a4", "a3", "a2"]), (6, ["b1", "a5", "a4", "a3", "a2", "a1"])] {
            var ids: [String] = []
            let hasMore = try index.search(SearchQuery(["river"]), limit: limit) { ids.append($0.entry.id) }
            #expect(ids == expected && hasMore == (limit < 6), "\(ids)")
        }
    }

    @Test func whatIsExcludedCountsBesidesADateAlone() throws {
        for (id, text) in [("a1", "green tea"), ("a2", "black tea")] {
            try takeIn(id, text: text)
            try deliver(["date": "2020-03-05"])
        }
        #expect(try found("after:2020", "-green") == ["a2"])
        #expect(try found("after:2020", "-type:text").isEmpty)
    }

    /// A bookmark is no book.
    @Test func typesAndTagsAreExact() throws {
        try takeIn("a1", name: "page.TXT")
        try deliver(["keywords": ["workshop"]])
        #expect(try found("type:tex").isEmpty && found("type:tex*") == ["a1"] && found("type:txt") == ["a1"])
        #expect(try found("tag:work").isEmpty && found("tag:workshop") == ["a1"])
        #expect(try found("workshops OR workshop") == ["a1"])
    }

    /// File names of macOS have Korean and Japanese letters in parts.
    @Test func lettersInPartsAreFound() throws {
        try takeIn("a1", name: "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}.txt")
        try takeIn("a2", name: "か\u{3099}くせい.txt")
        #expect(try found("한국") == ["a1"] && found("がく") == ["a2"])
    }

    @Test(arguments: [
        ("2020-03-05T10:11:12Z", "2020-03-05T"), ("2020-03-05T10:11:12.5+02:00", "2020-03-05T10:11:12"),
        ("2020-03", "2020-03"), ("2020", "2020"), ("2020-03-05T10", "2020-03-05"), ("20200305", ""), ("soon", ""),
        ("2020\u{301}\u{301}", "2020"), ("²⁰²⁰", ""),
    ])
    func aDateHasOneForm(_ date: String, _ shown: String) throws {
        try takeIn("a1")
        try deliver(["date": .string(date)])
        let hit = try #require(try hits(["type:text"]).first)
        #expect(hit.date.hasPrefix(shown) && hit.date.utf8.count <= 19, "\(hit.date)")
        if !shown.isEmpty, shown.utf8.count != 11 { #expect(hit.date == shown) }
    }

    @Test func aTitleIsShown() throws {
        try takeIn("a1", name: "mail.eml")
        try deliver(["title": "Weather report", "to": ["Ben <ben@example.org>"]])
        #expect(try hits(["weather"]).first?.foundTitle == "Weather report")
        #expect(try found("subject:weather", "to:ben") == ["a1"] && found("name:mail", "title:report") == ["a1"])
    }

    @Test func compoundsAreFoundByTheirBeginning() throws {
        try takeIn("a1", text: "die Rechnungsnummer fehlt")
        try takeIn("a2", text: "die Rechnung")
        #expect(try found("Rechnung") == ["a2", "a1"], "the word itself comes first")
        #expect(try found("\"Rechnung\"") == ["a2"])
        #expect(try found("-Rechnung", "fehlt") == ["a1"], "only the word itself is excluded")
    }

    @Test func findsWhatSinksFound() throws {
        try takeIn("a1")
        try deliver(
            [
                "title": "Quarterly", "pages": 3, "author": "Ada", "to": ["Grace <grace@example.org>"],
                "keywords": ["taxes"], "place": "Lake Como",
            ], text: "the whole text")
        for word in ["quarterly", "ada", "from:ada", "grace", "tag:taxes", "como", "whole"] {
            #expect(try found(word) == ["a1"], "\(word)")
        }
        #expect(try found("from:grace").isEmpty)
    }

    @Test func aHitHasItsPassageAndItsPage() throws {
        try takeIn("a1")
        let filler = String(repeating: "other words here. ", count: 40)
        try deliver([:], text: "first page\u{C}\u{C}\(filler)the\n  rare  word stands here\u{C}last")
        let hit = try #require(try hits(["rare"]).first)
        let snippet = try #require(hit.snippet)
        #expect(snippet.page == 3 && snippet.source == "text")
        let passage = snippet.parts.map(\.text).joined()
        #expect(passage.hasPrefix("… ") && passage.hasSuffix("the rare word stands here"), "\(passage)")
        #expect(try hits(["last"]).first?.snippet?.page == 4 && hits(["first"]).first?.snippet?.page == 1)
        #expect(hit.kind == "text" && hit.type == .plainText)
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
    }

    /// A hit that a person would not expect under its first name says which name was found.
    @Test(arguments: [
        (["holiday"], "my holiday.jpg"), (["photo"], "photo of a holiday.jpg"), (["hol*"], "my holiday.jpg"),
        (["my", "hol*"], "my holiday.jpg"), (["\"of\"", "holiday"], "photo of a holiday.jpg"),
        (["grace", "photo"], "photo of a holiday.jpg"), (["rivers", "photo"], "photo of a holiday.jpg"),
        // Without a hit in a later name, the latest one is said.
        (["letter"], "photo of a holiday.jpg"), (["grace"], "photo of a holiday.jpg"),
    ])
    func aHitUnderALaterNameNamesIt(_ words: [String], _ name: String) throws {
        try takeIn("a1", name: "letter.txt", title: "Dear Grace", text: "about rivers")
        for name in ["my holiday.jpg", "photo of a holiday.jpg"] { try takeIn("a1", name: name, title: "Dear Grace") }
        let entries = try hits(words).map(\.entry)
        let first = try #require(entries.first)
        #expect(entries.count == 1 && first.alsoNamed == name)
    }

    @Test func wordsOfATextAndOfALaterNameFindAPackage() throws {
        for (id, text) in [("a1", "about rivers"), ("a2", "about lakes"), ("a3", "about rivers")] {
            try takeIn(id, name: "letter.txt", text: text)
            if id != "a3" { try takeIn(id, name: "copy \(id).txt") }
        }
        #expect(try found("rivers", "copy") == ["a1"])
        #expect(try found("copy", "about").sorted() == ["a1", "a2"])
        #expect(try found("copy", "letter", "rive") == ["a1"])
        #expect(try found("copy", "oceans").isEmpty && found("rivers", "oceans").isEmpty)
    }

    @Test func wordsAfterANULAreFound() throws {
        try takeIn("a1", name: "x", title: "before\0after", text: "cap\0one river")
        for word in ["before", "after", "one", "river"] { #expect(try found(word) == ["a1"], "\(word)") }
        let entry = try #require(try container.catalog.entries().first)
        #expect(entry.title == "before\u{2400}after")
    }
}
