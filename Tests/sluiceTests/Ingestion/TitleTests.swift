import Foundation
import Ingestion
import ShareModel
import Synchronization
import SystemPackage
import Testing

/// A run can give a title and a text to packages that have none.
@Suite struct TitleTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func ingest(_ arguments: [String], input: String = "") throws -> [Receipt] {
        let end = try program.run(["ingest", "--json", "--no-deliver"] + arguments, input: input)
        #expect(end.status == 0, "\(end.errors)")
        return try end.receipts
    }

    /// Walks over the folder `in`, or takes in another input, at a time when its files have been unchanged for a minute. So
    /// their stamps count.
    private func walk(_ input: String = "in", title: String? = nil, text: String? = nil) async throws -> [Receipt] {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        (options.title, options.text) = (title, text)
        let now = try Disk.stamp(folder["in/a.txt"])[4] + 60
        options.clock = Clock(now: { "2026-01-01T00:00:00Z" }, nanoseconds: { now * 1_000_000_000 })
        let receipts = Mutex<[Receipt]>([])
        _ = try await Pipeline(options: options).ingest(.paths([folder[input]])) { event in
            if case .settled(let receipt) = event { receipts.withLock { $0.append(receipt) } }
        }
        return receipts.withLock { $0 }
    }

    private func facts(_ receipts: [Receipt]) -> [String] {
        receipts.map { "\($0.outcome) \($0.item?.title ?? "-") \($0.item?.text ?? "-")" }
    }

    @Test func packagesWithoutATitleGetIt() throws {
        try folder.write("in/a.txt", "a")
        try folder.share("in/b", title: "own", #"{"representations": [{"text": "b"}]}"#)
        try folder.write("in/c.share/share.json", #"{"version": 1, "items": [{"title": "", "text": "own words"}]}"#)
        let all = try ingest(["--title", "given", "--text", "words", folder["in"].string])
        #expect(facts(all) == ["accepted given words", "accepted own words", "accepted given own words"])
        #expect(try facts(ingest(["--title", "given", "https://a.example"])) == ["accepted given -"])
        let line = #"{"version": 1, "items": [{"text": "d"}]}"#
        let lines = line + "\n" + line.replacing(#""d""#, with: #""e""#)
        #expect(try ingest(["--title", "given", "-"], input: lines).count == 2)
        let found = try program.run(["search", "--json", "given"]).messages.compactMap(\.package).count
        #expect(found == 5, "the words of a title are found")
    }

    @Test func anEmptyTitleIsNone() throws {
        try folder.write("a.txt", "a")
        let plain = try ingest([folder["a.txt"].string])
        #expect(try facts(ingest(["--title", "", "--text", "", folder["a.txt"].string])) == ["duplicate - -"])
        #expect(plain.first?.item?.title == nil)
    }

    @Test func aTextAloneIsAPackage() throws {
        let receipt = try #require(try ingest(["--text", "Call Ada", "--title", "Today"]).first)
        #expect(receipt.outcome == .accepted && receipt.source.kind == .submitted && receipt.item?.title == "Today")
        #expect(receipt.providers.map(\.sha256) == [Digest(of: "Call Ada")])
        #expect(try facts(ingest(["--text", "Call Ada", "--title", "Today"])) == ["duplicate Today Call Ada"])
        #expect(try facts(ingest(["--text", "Call Ada"])) == ["accepted - Call Ada"])
        let shown = try program.run(["ingest", "--no-deliver", "--text", "Call Grace", "--title", "Tomorrow"]).output
        #expect(shown.contains("accepted   Tomorrow "), "\(shown)")
    }

    /// The title makes another package of a file, which replaces the one without it.
    @Test func aTitleForAKnownFileReplacesItsPackage() async throws {
        try folder.write("in/a.txt", "a")
        let plain = try #require(try await walk().first)
        let titled = try #require(try await walk(title: "T").first)
        #expect(titled.outcome == .accepted && titled.id != plain.id && titled.supersedes == plain.id)
        #expect(titled.storedBytes == 0, "its content is known")
        #expect(try facts(await walk(title: "T")) == ["duplicate T -"])
        #expect(try await walk().map(\.id) == [titled.id], "an unchanged file is not read again, and keeps its title")
    }

    struct Described: Sendable {
        var title: String?
        var text: String?
    }

    /// A walk with a title skips what was forgotten without one, and the other way round.
    @Test(arguments: [
        (Described(), Described(title: "T")), (Described(title: "T"), Described()),
        (Described(title: "T"), Described(title: "U", text: "t")), (Described(text: "t"), Described(text: "t")),
    ])
    func aWalkWithATitleBringsNothingBack(_ before: Described, _ after: Described) async throws {
        try folder.write("in/a.txt", "a")
        let ids = try await walk(title: before.title, text: before.text).map(\.id)
        #expect(try program.run(["forget"] + ids).status == 0)
        #expect(try await walk(title: after.title, text: after.text).map(\.outcome) == [.skipped])
        let named = try await walk("in/a.txt", title: after.title, text: after.text)
        #expect(named.map(\.outcome) == [.accepted], "a person names it")
        #expect(try await walk(title: after.title, text: after.text).map(\.outcome) == [.duplicate])
    }

    /// A share has no stamp. Its content decides, as without a title.
    @Test func aForgottenShareStaysOut() throws {
        try folder.share("in/b", #"{"representations": [{"text": "b"}]}"#)
        let ids = try ingest([folder["in"].string]).map(\.id)
        #expect(try program.run(["forget"] + ids).status == 0)
        #expect(try ingest(["--title", "T", folder["in"].string]).map(\.outcome) == [.skipped])
        #expect(try ingest(["--title", "T", folder["in/b.share"].string]).map(\.outcome) == [.accepted])
        #expect(try ingest(["--title", "T", folder["in"].string]).map(\.outcome) == [.duplicate])
    }

    /// The content decides if the file was written anew, so that its stamp is another one.
    @Test func aForgottenFileThatWasTouchedStaysOut() throws {
        try folder.write("in/a.txt", "a")
        let ids = try ingest([folder["in"].string]).map(\.id)
        #expect(try program.run(["forget"] + ids).status == 0)
        try folder.write("in/a.txt", "a")
        for options in [["--title", "T"], ["--title", "T", "--reread"]] {
            #expect(try ingest(options + [folder["in"].string]).map(\.outcome) == [.skipped])
        }
        #expect(Disk.files(below: folder["container/objects"]).isEmpty)
    }

    /// A run that reads a file again without a title keeps the one that it has, by whichever way it comes to read it.
    @Test func aWalkKeepsTheTitleOfAFileThatItReadsAgain() throws {
        let file = try folder.write("in/a.txt", "a")
        _ = try ingest([folder["in"].string])
        let titled = try #require(try ingest(["--title", "T", "--text", "words", file.string]).first)
        // A file that is recognized has a receipt without its words.
        for arguments in [[folder["in"].string], ["--reread", folder["in"].string], [file.string]] {
            let plan = try ingest(["--dry-run"] + arguments)
            #expect(plan.map(\.packageID) == [titled.id] && facts(plan) == ["duplicate T words"])
            #expect(try ingest(arguments).map(\.packageID) == [titled.id])
        }
        #expect(try facts(ingest(["--text", "others", file.string])) == ["accepted T others"], "the title stays")
        #expect(try facts(ingest(["--title", "U", file.string])) == ["accepted U others"], "the text stays")
        #expect(try current() == ["U"])
        // A copy elsewhere has not been given a title.
        try folder.write("in/b.txt", "a")
        for _ in 0..<2 {
            #expect(try facts(ingest(["--reread", folder["in"].string])) == ["duplicate U others", "duplicate - -"])
        }
        // Other content is another thing.
        try folder.write("in/a.txt", "edited")
        #expect(try facts(ingest(["--reread", folder["in"].string])) == ["accepted - -", "duplicate - -"])
    }

    /// Two equal files may have a title each.
    @Test func copiesKeepTheirTitles() throws {
        for (name, title) in [("a", "A"), ("b", "B"), ("c", "A")] {
            _ = try ingest(["--title", title, try folder.write("in/\(name).txt", "same").string])
        }
        for _ in 0..<2 {
            let again = try ingest(["--reread", folder["in"].string])
            #expect(facts(again) == ["duplicate A -", "duplicate B -", "duplicate A -"])
            #expect(try current() == ["A", "B"])
        }
    }

    /// The title of what is forgotten goes with it, and that of what stays does not.
    @Test func aForgottenTitleDoesNotComeBack() throws {
        let file = try folder.write("in/a.txt", "a").string
        let plain = try ingest([file])
        let titled = try ingest(["--title", "T", file])
        #expect(try program.run(["forget"] + plain.map(\.id)).status == 0)
        #expect(try facts(ingest(["--reread", folder["in"].string])) == ["duplicate T -"])
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        #expect(try facts(ingest([file])) == ["accepted - -"])
    }

    /// A walk that must read the file again knows nothing of the title under which it was forgotten.
    @Test(arguments: ["written anew", "read again", "copied"])
    func whatWasForgottenUnderATitleStaysOut(_ how: String) throws {
        try folder.write("in/a.txt", "a")
        let titled = try ingest(["--title", "T", "--text", "words", folder["in"].string])
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        if how == "written anew" { try folder.write("in/a.txt", "a") }
        if how == "copied" { try folder.write("in/b.txt", "a") }
        let options = how == "read again" ? ["--reread"] : []
        let again = try ingest(options + [folder["in"].string])
        let skipped = Array(repeating: PackageOutcome.skipped, count: how == "copied" ? 2 : 1)
        #expect(again.map(\.outcome) == skipped)
        #expect(try ingest(options + ["--title", "U", folder["in"].string]).map(\.outcome) == skipped)
        #expect(Disk.files(below: folder["container/objects"]).isEmpty)
        #expect(try ingest([folder["in/a.txt"].string]).map(\.outcome) == [.accepted], "a person names it")
    }

    /// The package came through a pipe first, and the walk over its file was a later arrival.
    @Test func whatCameThroughAPipeFirstStaysOut() throws {
        let file = try folder.write("in/a.txt", "a")
        let titled = try ingest(["--title", "T", "--name", "a.txt", "-"], input: "a")
        #expect(try facts(ingest(["--title", "T", folder["in"].string])) == ["duplicate T -"])
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        try folder.write("in/a.txt", "a")
        #expect(try ingest([folder["in"].string]).map(\.outcome) == [.skipped])
        #expect(try ingest([file.string]).map(\.outcome) == [.accepted])
    }

    /// A package that is back, or that was never forgotten, keeps no copy of its content out.
    @Test(arguments: [true, false]) func aTitleThatIsThereKeepsNoCopyOut(_ comesBack: Bool) throws {
        let file = try folder.write("in/a.txt", "a").string
        let titled = try ingest(["--title", "T", file])
        if !comesBack { _ = try ingest(["--title", "V", folder.write("other/v.txt", "a").string]) }
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        if comesBack {
            #expect(try facts(ingest(["--title", "T", file])) == ["accepted T -"])
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        try folder.write("in/b.txt", "a")
        let again = try ingest([folder["in"].string])
        #expect(facts(again) == (comesBack ? ["duplicate T -", "accepted - -"] : ["accepted - -"]), "\(again)")
        #expect(try facts(ingest(["--title", "W", folder["in"].string])).first == "accepted W -")
    }

    /// The package without the title is damaged, and stays.
    @Test func aDamagedPackageDoesNotStopTheRemovalOfItsTitle() throws {
        _ = try ingest([folder.write("in/b.txt", "a").string])
        let titled = try ingest(["--title", "T", folder.write("in/a.txt", "a").string])
        try SQL.run(folder["container"], "UPDATE package SET outcome = 'dream' WHERE title IS NULL")
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        #expect(try SQL.run(folder["container"], "SELECT count(*) FROM package") == ["1"])
    }

    /// If the newer of two titles is forgotten, the older one is the file's title again, and later runs keep it.
    @Test func anOlderTitleReturnsAndStays() throws {
        let file = try folder.write("in/a.txt", "a").string
        _ = try ingest(["--title", "old", file])
        let newer = try ingest(["--title", "new", file])
        #expect(try program.run(["forget"] + newer.map(\.id)).status == 0)
        #expect(try current() == ["old"])
        try folder.write("in/a.txt", "a")
        for _ in 1...2 { #expect(try facts(ingest(["--reread", folder["in"].string])) == ["duplicate old -"]) }
        #expect(try current() == ["old"])
    }

    /// The content without the title came in before, and stays after the title was forgotten.
    @Test func whatCameInWithoutATitleStays() throws {
        let file = try folder.write("in/a.txt", "a").string
        _ = try ingest([file])
        let titled = try ingest(["--title", "T", file])
        #expect(try program.run(["forget"] + titled.map(\.id)).status == 0)
        #expect(try ingest(["--reread", folder["in"].string]).map(\.outcome) == [.duplicate])
    }

    @Test func aLinkThatIsNamedAgainKeepsItsTitle() throws {
        #expect(try facts(ingest(["--title", "T", "https://a.example/x"])) == ["accepted T -"])
        #expect(try facts(ingest(["https://a.example/x"])) == ["duplicate T -"])
    }

    /// A group of files, and a folder that is a document.
    @Test func whatHasSeveralFilesKeepsItsTitle() throws {
        try folder.write("in/p.dng", "raw")
        try folder.write("in/p.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
        try folder.write("in/q.pages/Index.zip", "content")
        let titled = try ingest(["--title", "T", folder["in"].string])
        #expect(Set(titled.map(\.source.kind)) == [.group, .bundle])
        #expect(Set(try facts(ingest(["--reread", folder["in"].string]))) == ["duplicate T -"])
    }

    /// The titles of the current packages.
    private func current() throws -> Set<String> {
        Set(
            try program.run(["list", "--json"]).messages.compactMap(\.package).filter { $0.supersededBy == nil }
                .map { $0.title ?? "-" })
    }

    /// A bag keeps the title and the text.
    @Test func aBagKeepsThem() throws {
        try folder.write("in/a.txt", "a")
        try folder.write("in/b.txt", "b")
        _ = try ingest(["--title", "T: \"50%\"", "--text", "words", folder["in/a.txt"].string])
        _ = try ingest([folder["in/b.txt"].string])
        _ = try ingest(["--text", "caption", "https://a.example/x"])
        _ = try ingest(["--title", "piped", "-", "--name", "c.txt"], input: "c")
        #expect(try program.run(["export", folder["bag"].string]).status == 0)
        #expect(Disk.names(in: folder["bag/data/packages"]).contains("b.txt"), "it has no title, and stays a file")
        let again = Program(container: folder["again"])
        #expect(try again.run(["ingest", "--no-deliver", folder["bag"].string]).status == 0)
        func entries(_ program: Program) throws -> Set<[String]> {
            Set(try program.run(["list", "--json"]).messages.compactMap(\.package).map { [$0.id, $0.title ?? ""] })
        }
        #expect(try entries(program).count == 4)
        #expect(try entries(again) == entries(program))
    }
}
