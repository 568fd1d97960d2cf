import ArgumentParser
import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import sluice

@Suite struct ArgumentTests {
    @Test(arguments: [
        Array("plain/ä.txt".utf8), [0x61, 0xE4, 0x62], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80],
        Array("\u{10FFE4}".utf8), Array("e\u{301}".utf8), Array((1...255)),
    ])
    func bytesComeBack(bytes: [UInt8]) {
        let text = RawArguments.text(bytes)
        #expect(RawArguments.bytes(text) == bytes)
        #expect(RawArguments.path("/" + text).bytes == Array("/".utf8) + bytes)
    }

    @Test func aPathSurvivesTheParser() throws {
        let arguments = ["--container=" + RawArguments.text([0xE4]), "--", RawArguments.text([0x2D, 0xFC])]
        let command = try Ingest.parse(arguments)
        #expect(command.inputs.paths.flatMap(\.paths).map(\.bytes) == [[0x2D, 0xFC]])
        #expect(try command.container.location().bytes == [0xE4])
        #expect(command.container.again.rendered(color: false) == #" --container $'\344'"#)
    }

    /// The parser gets a long run of paths as one argument, and returns the paths unchanged.
    @Test(arguments: [["identify"], ["ingest", "--container", "c"], ["inspect", "--", "-x"]])
    func manyPathsPassTheParserAsOneArgument(before: [String]) throws {
        let names = (0..<500).map { "f\($0)" } + [RawArguments.text([0xE4])]
        let folded = RawArguments.folded(before + names)
        #expect(folded.count < before.count + 4)
        let command = try Sluice.parseAsRoot(folded)
        let paths = [
            (command as? Identify)?.paths, (command as? Ingest)?.inputs.paths, (command as? Inspect)?.inputs.paths,
        ]
        let found = paths.compactMap { $0 }.flatMap { $0 }.flatMap(\.paths).map(\.bytes)
        let own = before.last == "-x" ? [Array("-x".utf8)] : []
        #expect(found == own + names.map(RawArguments.bytes))
        #expect(RawArguments.folded(["show"] + names) == ["show"] + names)
        #expect(RawArguments.folded(before + names + [""]).last == "")
    }

    /// Quoted words are printed in the form that a shell reads, at any length.
    @Test(arguments: [
        ("/a/b-c.d", "/a/b-c.d"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$x", "'$x'"), ("ä", "'ä'"),
        // The quotation mark and the combining mark after it are one `Character`.
        ("it'\u{301};s", "'it'\\''\u{301};s'"),
        ("a\n'\\", #"$'a\012\'\\'"#), ("\u{202E}7", #"$'\342\200\2567'"#),
        (String(repeating: "x", count: 4_000), String(repeating: "x", count: 4_000)),
    ])
    func pathsAreQuotedForTheShell(path: String, word: String) {
        #expect(ShellQuote.quote(FilePath(bytes: Array(path.utf8))) == word)
    }

    @Test func theProgramSaysItsVersion() throws {
        let end = try Program(container: "/nonexistent").run(["--version"])
        #expect(end.status == 0)
        let version = try #require(end.output.wholeMatch(of: /sluice (\d+\.\d+\.\d+)\n/)?.output.1)
        #expect(version == Release.version)
    }

    @Test func theContainerIsFoundByOptionAndEnvironment() {
        func resolve(_ option: FilePath?, _ environment: [String: FilePath]) -> FilePath? {
            ContainerLocation.resolve(option: option) { environment[$0] }
        }
        let all: [String: FilePath] = ["SLUICE_CONTAINER": "/s", "XDG_DATA_HOME": "/x", "HOME": "/h"]
        #expect(resolve("o", all) == "o")
        #expect(resolve(nil, all) == "/s")
        #expect(resolve(nil, ["XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/x/sluice/group.sluice.default")
        #expect(resolve(nil, ["XDG_DATA_HOME": "x", "HOME": "/h"]) == "/h/.local/share/sluice/group.sluice.default")
        #expect(resolve(nil, [:]) == nil)
    }

    @Test func theEnvironmentCanNameTheMachine() throws {
        let folder = try TestFolder()
        func machine(_ name: String?) throws -> String? {
            try ContainerLocation.machine(
                environment: { $0 == "HOME" ? folder["home"] : nil }, text: { $0 == "SLUICE_MACHINE" ? name : nil })
        }
        #expect(try machine(" desk\n") == "desk")
        #expect(Disk.names(in: folder["home"]).isEmpty, "no random identifier is made")
        #expect(try machine(String(repeating: "m", count: 64))?.count == 64)
        for wrong in [" ", String(repeating: "m", count: 65)] {
            let error = try #require(throws: (any Error).self) { try machine(wrong) }
            #expect(Sluice.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
        }
        let random = try #require(try machine(nil))
        #expect(try machine(nil) == random)
    }

    @Test(arguments: [
        ["ingest", "-", "x"], ["ingest", "--jobs", "0", "x"], ["ingest", "--quiet", "--json", "x"], ["ingest", ""],
        ["identify"], ["identify", "--claims", "f"], ["identify", "--claims", "-", "x"],
        ["identify", "--files-from", "-", "x"], ["identify", "-0", "x"],
        ["identify", "--files-from", "-", "--claims", "-"], ["show", "x!"], ["show"],
        ["ingest", "--files-from", "list", "x"], ["ingest", "--files-from", "list", "-"], ["ingest", "-0", "x"],
        ["ingest", "-", "-"], ["ingest", "--name", "", "-"], ["ingest", "--name", "a.pdf", "x"],
        ["ingest", "--name", "a.pdf", "--files-from", "-"], ["inspect", "x", "-"], ["inspect", "--name", "a.pdf", "x"],
        ["list", "--outcome", "good"], ["list", "--outcome", "skipped"], ["list", "--failed", "--quarantined"],
        ["list", "--warned", "--failed"],
        ["nonsense"],
    ])
    func usageErrorsExitWithStatus64(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try Sluice.parseAsRoot(arguments) }
        #expect(Sluice.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
    }

    @Test(arguments: [
        ("5", 5), ("5s", 5), ("0", 0), ("2m", 120), ("1d", 86_400), ("", nil), ("s", nil), ("-5", nil), ("5x", nil),
    ])
    func aTimeNeedsNoUnit(text: String, seconds: Int?) throws {
        let expected = seconds.map { Int64($0) }
        #expect(DurationArgument(argument: text)?.seconds == expected)
        guard expected != nil else { return }
        #expect(try Ingest.parse(["--settle", text, "x"]).reading.settle.seconds == expected)
    }

    @Test func usageErrorsAreSafeForATerminal() throws {
        let end = try Program(container: "/nonexistent").run(["identify", "--\u{1B}[31mred", "x"])
        #expect(end.status == ExitStatus.usage.rawValue)
        #expect(!end.errors.contains("\u{1B}") && end.errors.contains(#"\u{1B}[31mred"#), "\(end.errors)")
    }
}
