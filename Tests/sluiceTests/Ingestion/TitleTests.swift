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
