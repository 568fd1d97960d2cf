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
                "accepted   copies/notes.txt          text/plain         11 bytes → keep",
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
