import ShareModel
import SystemPackage
import Testing

/// The names and the order in `sluice list`.
@Suite struct ListTextTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["c"])
    }

    private static func description(_ attachments: String) -> String {
        #"{"version": 1, "items": [{"attachments": [\#(attachments)]}]}"#
    }

    /// What a pipe brings, and the name that a person sees.
    private static let piped: [(options: [String], input: String, name: String)] = [
        (["--name", "report.pdf"], "%PDF-1.4", "report.pdf"),
        (["--name", "notes.txt", "--title", "Rivers"], "words", "Rivers"),
        ([], description(#"{"representations": [{"text": "words"}]}"#), "untitled text"),
        ([], description(#"{"name": "a.txt", "representations": [{"text": "words"}]}"#), "a.txt"),
        ([], description("\(preview), \(page)"), "page.txt"),
        ([], description(#"{"representations": [{"link": "https://example.org/a"}]}"#), "untitled link"),
        ([], description(#"{"name": "gone.txt", "representations": [{"file": "none"}]}"#), "gone.txt"),
    ]
    private static let preview = #"{"name": "b.txt", "role": "preview", "representations": [{"text": "b"}]}"#
    private static let page = #"{"name": "page.txt", "representations": [{"text": "c"}]}"#

    /// A package from a pipe is known by the file that leads it: by its name, or by its type in words.
    @Test(arguments: piped)
    func aPipedPackageHasTheNameOfItsFile(_ options: [String], _ input: String, _ name: String) throws {
        let run = try program.run(["ingest", "-", "--no-deliver"] + options, input: input)
        let line = try #require(run.output.split(separator: "\n").first) + " "
        #expect(line.contains("   \(name) "), "\(run.output)\(run.errors)")
        let list = try program.run(["list"]).output
        #expect(list.hasSuffix("  \(name)\n") || list.contains("  \(name)  "), "\(list)")
        let entry = try #require(try program.run(["list", "--json"]).messages.first?.package)
        #expect(entry.title ?? entry.name.map(InventedName.words) == name)
        let forgotten = try program.run(["forget", "--dry-run", entry.id]).output
        #expect(forgotten.contains("  \(name)\n"), "\(forgotten)")
    }

    /// A file has a path, so its entry needs no further name.
    @Test func aFileHasThePathAlone() throws {
        _ = try program.ingest(folder.write("a.txt", "words"), options: ["--no-deliver"])
        #expect(try program.run(["list", "--json"]).messages.first?.package?.name == nil)
    }

    /// A bag brings packages that are older than those before them, and no word of the program denies it.
    @Test func theWordsAboutTheOrderAreTrue() throws {
        let other = Program(container: folder["other"])
        _ = try other.ingest(folder.write("old.txt", "old words"), options: ["--no-deliver"])
        try SQL.run(folder["other"], "UPDATE package SET received = '2020-01-02T03:04:05Z'")
        #expect(try other.run(["export", folder["bag"].string]).status == 0)
        _ = try program.ingest(folder.write("new.txt", "new words"), options: ["--no-deliver"])
        _ = try program.ingest(folder["bag"], options: ["--no-deliver"])
        let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
        #expect(entries.map { FilePath($0.source.path).lastComponent?.string } == ["new.txt", "old.txt"])
        #expect(entries.count == 2 && entries[1].received == "2020-01-02T03:04:05Z")
        for arguments in [["help", "list"], ["help"]] {
            // Without the breaks of its lines.
            let help = try program.run(arguments).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(help.contains("in the order in which they were stored") && !help.contains("oldest"), "\(help)")
        }
    }
}
