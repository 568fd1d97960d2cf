import Foundation
import ShareModel
import SystemPackage
import Testing

/// The program's own messages.
@Suite struct ProgramTextTests {
    @Test func aWalkedFolderFitsOnAPage() throws {
        let place = try TestFolder()
        try place.write("in/notes.txt", "Rivers run.")
        try place.write("in/copies/notes.txt", "Rivers run.")
        try place.write("in/.hidden", "?")
        let end = try Program(container: place["c"]).run(["ingest", place["in"].string])
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(end.status == 0, "\(end.errors)")
        #expect(
            lines.prefix(2) == [
                "skipped    .hidden                   hidden; name it to take it in",
                "accepted   copies/notes.txt          text/plain         11 bytes → text-note",
            ])
        #expect(
            lines.count > 2 && lines[2].hasPrefix("duplicate  notes.txt                 text/plain         same as "))
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("container: ") })
    }

    @Test func anEmptyInputIsReported() throws {
        let place = try TestFolder()
        try place.write("in/folder/x", "")
        let empty = try TestFolder()
        let end = try Program(container: place["c"]).run(["ingest", empty.path.string])
        #expect(end.status == 0)
        #expect(end.output.contains("\nnothing to take in: no file was found\n"))
    }

    /// Every command that may use sinks reports their problems on standard error.
    @Test(arguments: ["ingest", "inspect", "deliver"])
    func unusableSinksAreNamed(command: String) throws {
        let place = try TestFolder()
        let file = try place.write("notes.txt", "Rivers run.")
        _ = try Program(container: place["c"]).ingest(file, options: ["--no-deliver"])
        try place.write("sinks/bad/sink.json", "{}")
        var program = Program(container: place["c"], sinks: place["sinks"])
        let paths = command == "deliver" ? [] : [file.string]
        #expect(try Self.warnings(program.run([command] + paths)).contains { $0.contains("sinks/bad/sink.json") })
        program.sinks = place["nowhere"]
        let warnings = try Self.warnings(program.run([command] + paths))
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("warning: SLUICE_SINKS names \(place["nowhere"]), ") == true)
    }

    @Test func deliveringMakesNoContainer() throws {
        let place = try TestFolder()
        let end = try Program(container: place["c"]).run(["deliver"])
        #expect(end.status == 2)
        #expect(end.errors.contains("there is no container at"))
        #expect(Disk.names(in: place.path).isEmpty)
    }

    @Test(arguments: [
        (["ingets", "x"], "there is no command 'ingets'; did you mean 'ingest'?"),
        (["help", "sink"], "there is no command 'sink'; did you mean 'sinks'?"),
        (["frob"], "there is no command 'frob'; see `sluice help`"),
        (["\u{1B}[31m"], "there is no command '\\u{1B}[31m'; see `sluice help`"),
    ])
    func anUnknownCommandIsNamed(arguments: [String], message: String) throws {
        let end = try Program(container: try TestFolder()["c"]).run(arguments)
        #expect(end.status == 64)
        #expect(end.errors == "sluice: \(message)\n")
    }

    /// A wrong argument has a message like all others. The help is one command away.
    @Test(arguments: [
        (["list", "--frobnicate", "x"], "unknown option '--frobnicate'; see `sluice list --help`"),
        (["ingest", "a.txt", "-photos.jpg"], "unknown option '-photos.jpg'; a file of that name is ./-photos.jpg"),
        (["search", "-dash"], "all words are excluded; add one that must be there, or a filter such as type:pdf"),
        (["gc", "--dry-rum"], "unknown option '--dry-rum'. Did you mean '--dry-run'? See `sluice gc --help`"),
        (
            ["gc", "--grace", "5x"],
            "the value '5x' is invalid for '--grace <duration>': '5x' is no time; write 5, 5s or 2m; "
                + "see `sluice gc --help`"
        ),
        (
            ["list", "--failed", "--warned"],
            "--failed, --quarantined, --pending, --warned, --outcome and --tag exclude one another"
        ),
        (["show", "letter.pdf"], "'sluice search' finds them by a name; see `sluice show --help`"),
        (["show"], "missing expected argument '<id>'; see `sluice show --help`"),
    ])
    func aWrongArgumentHasOneLine(arguments: [String], message: String) throws {
        let end = try Program(container: try TestFolder()["c"]).run(arguments)
        #expect(end.status == 64 && end.output.isEmpty)
        #expect(end.errors.hasPrefix("sluice: ") && end.errors.contains(message), "\(end.errors)")
        #expect(end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    }

    /// `… | head`: the reader of the pipe has closed it.
    @Test(arguments: [["inspect", "--json"], ["inspect"], ["ingest", "--dry-run"], ["list"], ["search", "txt"]])
    func aClosedPipeIsNoError(_ arguments: [String]) throws {
        let place = try TestFolder()
        for name in ["a.txt", "b.txt"] { try place.write("in/\(name)", "words of \(name)") }
        let program = Program(container: place["c"])
        #expect(try program.ingest(place["in"]).status == 0)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        try place.write("output", "")
        let paths = ["list", "search"].contains(arguments[0]) ? [] : [place["in"].string]
        let input = try place.write("input", "")
        let process = try program.start(arguments + paths, input: input, scratch: place, output: pipe)
        process.waitUntilExit()
        let end = try program.end(of: process, place)
        #expect(end.status == 0 && end.errors.isEmpty, "\(end)")
    }

    @Test(arguments: [["help", "ingest"], ["help", "sinks", "new"], ["help"]])
    func helpIsNoUnknownCommand(arguments: [String]) throws {
        #expect(try Program(container: try TestFolder()["c"]).run(arguments).status == 0)
    }

    @Test func aMissingPathMakesNoContainer() throws {
        let place = try TestFolder()
        let end = try Program(container: place["c"]).run(["ingest", place["none"].string])
        #expect(end.status == 1)
        #expect(end.output.contains("\n           no such file or folder; check the name\n"))
        #expect(!end.output.contains("next: ") && !end.output.contains("container: "))
        #expect(Disk.names(in: place.path).isEmpty)
        // With another path that exists, it is one failure of the run.
        let file = try place.write("notes.txt", "Rivers run.")
        #expect(try Program(container: place["c"]).ingest(place["none"], file).summary.failed == 1)
    }

    /// A rerun lists ten duplicates, and counts the others.
    @Test func aRerunSummarizesDuplicates() throws {
        let place = try TestFolder()
        for number in 10..<25 { try place.write("in/\(number).txt", "\(number)") }
        let program = Program(container: place["c"])
        _ = try program.ingest(place["in"])
        let end = try program.run(["ingest", place["in"].string])
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("duplicate  ") }.count == 10)
        #expect(lines.contains("5 more duplicates are not listed; --duplicates lists all"))
        let all = try program.run(["ingest", "--duplicates", place["in"].string]).output
        #expect(all.split(separator: "\n").filter { $0.hasPrefix("duplicate  ") }.count == 15)
        #expect(!all.contains("not listed"))
        #expect(try program.ingest(place["in"]).receipts.count == 15)
    }

    /// An identifier that leads to no package says why.
    @Test func showExplainsAnIdentifier() throws {
        let place = try TestFolder()
        let program = Program(container: place["c"])
        for number in 0..<60 { try place.write("in/\(number).txt", "\(number)") }
        let ids = try program.ingest(place["in"], options: ["--no-deliver"]).receipts.map(\.id)
        // A digit alone is the number of a line.
        let lettered = ids.filter { $0.first?.isLetter == true }
        let first = try #require(Dictionary(grouping: lettered, by: { $0.prefix(1) }).first { $0.value.count > 1 })
        let several = try program.run(["show", String(first.key)])
        #expect(several.status == 1)
        #expect(several.errors.contains("more than one package begins with '\(first.key)', such as "))
        #expect(ids.contains { several.errors.contains($0.prefix(12)) })
        _ = try program.run(["forget", ids[0]])
        let forgotten = try program.run(["show", ids[0]])
        #expect(forgotten.status == 1)
        #expect(forgotten.errors == "sluice: the package \(ids[0]) was forgotten, and its receipt with it\n")
        let unknown = try program.run(["show", "ffffffffffff"])
        #expect(unknown.status == 1 && unknown.errors.contains("no package begins with 'ffffffffffff'"))
    }

    /// Times for people are those of the user's zone.
    @Test(arguments: [("UTC", "2026-07-01 22:30"), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-02 00:30")])
    func timesAreLocal(zone: String, text: String) throws {
        let place = try TestFolder()
        var program = Program(container: place["c"])
        let file = try place.write("a.txt", "one")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_782_945_000.25)], ofItemAtPath: file.string)
        let id = try program.ingest(file).receipt.id
        try SQL.run(place["c"], "UPDATE package SET received = '2026-07-01T22:30:00Z'")
        program.variables = ["TZ": zone]
        let shown = try program.run(["show", id]).output
        for word in ["received", "modified"] { #expect(shown.contains("\(word)  \(text):00 "), "\(shown)") }
        let modified = try program.run(["show", "--json", id]).receipt.providers[0].modified
        #expect(modified?.description == "2026-07-01T22:30:00.25Z")
        #expect(try program.run(["list"]).output.contains("  \(text)  "))
        #expect(try program.run(["list", "--json"]).messages[0].package?.received == "2026-07-01T22:30:00Z")
    }

    @Test func anEmptyListIsNoError() throws {
        let place = try TestFolder()
        let program = Program(container: place["c"])
        _ = try program.ingest(place.write("notes.txt", "Rivers run."))
        let end = try program.run(["list", "--failed"])
        #expect(end.status == 0)
        #expect(end.errors == "nothing failed\n")
    }

    private static func warnings(_ end: Program.End) -> [String] {
        end.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("warning: ") }
    }
}
