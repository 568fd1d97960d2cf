import Foundation
import ShareModel
import SystemPackage
import Testing

/// `sluice search` and `sluice list` with words.
@Suite(.timeLimit(.minutes(60))) struct SearchCommandTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func takeIn() throws {
        try folder.write("in/Recipes/tea.md", "# Green tea\n\nBoil the water, and wait.\n")
        try folder.write("in/Recipes/cake.md", "# A cake\n\nFlour, and no tea.\n")
        try folder.write("in/Work/plan.csv", "task,day\nwrite,monday\n")
        #expect(try program.ingest(folder["in"]).status == 0)
    }

    @Test func aLineHasTheKindTheDayAndTheFolder() throws {
        try takeIn()
        let end = try program.run(["search", "boil", "water"])
        #expect(end.status == 0)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines[0].contains("  note          tea.md  ") && lines[0].hasSuffix("/in/Recipes"))
        #expect(lines[1] == "    # Green tea Boil the water, and wait.")
    }

    @Test func nothingFoundHasAStatusOfItsOwn() throws {
        try takeIn()
        let end = try program.run(["search", "quagmire"])
        #expect(end.status == 1 && end.output.isEmpty && end.errors == "nothing is found\n")
        #expect(try program.run(["search", "--json", "quagmire"]).errors.isEmpty)
    }

    @Test func anUnknownKindIsSaid() throws {
        try takeIn()
        let end = try program.run(["search", "type:music", "tea"])
        #expect(end.status == 1 && end.errors == "nothing is found; no package has type:music\n")
        #expect(try program.run(["search", "type:mussic"]).errors.contains("mussic is no kind"))
        #expect(try program.run(["search", "type:md"]).status == 0, "an ending is no word for a kind")
    }

    @Test func excludedWordsAreNoOptions() throws {
        try takeIn()
        func names(_ arguments: [String]) throws -> [String] {
            try program.run(arguments + ["--json"]).messages.compactMap(\.package).map { entry in
                entry.source.path.split(separator: "/").last.map(String.init) ?? ""
            }
        }
        #expect(try names(["search", "tea", "-flour"]) == ["tea.md"])
        #expect(try names(["search", "-flour", "tea", "--limit", "5"]) == ["tea.md"])
        #expect(try names(["list", "type:md", "-boil"]) == ["cake.md"])
        #expect(try names(["list", "in:Recipes"]) == ["cake.md", "tea.md"])
        #expect(try program.run(["search", "-h"]).output.contains("USAGE"))
    }

    @Test func theLimitIsSaid() throws {
        try takeIn()
        let end = try program.run(["search", "type:text", "--limit", "2"])
        #expect(end.output.split(separator: "\n").count == 2)
        #expect(end.errors == "there are more; --limit 20 shows them\n")
        #expect(try program.run(["search", "type:text", "--limit", "3"]).errors.isEmpty)
    }

    @Test(arguments: [
        (["search"], "Missing expected argument"), (["search", "after:soon"], "after:soon is no date"),
        (["search", "tea", "--sort", "size"], "one of: best, newest, oldest"),
        (["list", "tea", "--failed"], "words cannot be used with --failed"),
    ])
    func aWrongQueryIsExplained(_ arguments: [String], _ message: String) throws {
        try takeIn()
        let end = try program.run(arguments)
        #expect(end.status == 64 && end.errors.localizedCaseInsensitiveContains(message), "\(end.errors)")
    }

    @Test func resultsAreInOrderOfTheirDates() throws {
        try folder.write(
            "in/b.eml", "From: a@example.org\nDate: Tue, 5 Mar 2019 10:00:00 +0100\nSubject: Second\n\ntea\n")
        try folder.write(
            "in/a.eml", "From: b@example.org\nDate: Mon, 4 Mar 2019 10:00:00 +0100\nSubject: First\n\ntea\n")
        #expect(try program.ingest(folder["in"]).status == 0)
        let found = try program.run(["search", "--sort", "oldest", "type:mail", "--json"]).output
        let dates = found.matches(of: /"date":"([^"]*)"/).map { String($0.1) }
        #expect(dates == ["2019-03-04T10:00:00", "2019-03-05T10:00:00"])
        #expect(try program.run(["search", "from:b@example.org"]).output.contains("a.eml"))
    }
}
