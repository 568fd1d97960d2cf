import Foundation
import SystemPackage
import Testing

@testable import sluice

@Suite struct IdentifyTests {
    private static func sluice(_ arguments: String..., input: String = "") throws -> Program.End {
        try Program(container: "/nonexistent").run(["identify"] + arguments, input: input)
    }

    private static func folder() throws -> TestFolder {
        let folder = try TestFolder()
        try folder.write("a.md", "Just words\n")
        try folder.write("b c", "%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n")
        return folder
    }

    @Test func printsALineForEachFile() throws {
        let folder = try Self.folder()
        let end = try Self.sluice(folder["a.md"].string, folder["b c"].string)
        #expect(end.status == 0)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "\(folder["a.md"]): text/markdown  (name: *.md)")
        #expect(lines.last?.hasPrefix("\(folder["b c"]): application/pdf  (") == true)
    }

    @Test(arguments: [
        (["--files-from", "-"], "\n"), (["--files-from", "-", "-0"], "\0"), (["--files-from=-"], "\n\n"),
    ])
    func readsPathsFromAStream(options: [String], end: String) throws {
        let folder = try Self.folder()
        let input = folder["b c"].string + end + folder["a.md"].string
        let found = try Program(container: "/nonexistent").run(["identify", "--json"] + options, input: input)
        #expect(found.status == 0)
        let types = try found.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["type"] as? String
        }
        #expect(types == ["application/pdf", "text/markdown"])
    }

    /// Rules of a person, as text, count beside those of libmagic, and alone.
    @Test func rulesOfMagicMayBeText() throws {
        let folder = try Self.folder()
        let text = try folder.write("rules", "0\tstring\tRIVERDATA\tA river\n!:mime\tapplication/x-river\n")
        try folder.write("a.river", "RIVERDATA\u{1}\u{2}\n")
        try folder.write("empty", "")
        try folder.write("comments", "# nothing\n\n# at all\n")
        var program = Program(container: "/nonexistent")
        let usual = "/usr/share/misc/magic"
        for (magic, river) in [
            (text.string, "application/x-river"), ("\(text):\(usual)", "application/x-river"),
            (usual, "application/octet-stream"),
            ("\(folder["comments"]):\(usual):\(folder["empty"]):\(folder["gone"])", "application/octet-stream"),
        ] {
            program.variables["MAGIC"] = magic
            let output = try program.run(["identify", folder["a.river"].string, folder["b c"].string]).output
            #expect(output.contains("\(folder["a.river"]): \(river)  ("), "\(magic): \(output)")
            #expect(output.contains("\(folder["b c"]): application/pdf  ("))
        }
    }

    @Test func identifiesMoreFilesThanABatchHolds() throws {
        let folder = try Self.folder()
        let paths = (0..<200).map { folder[$0 % 2 == 0 ? "a.md" : "gone-\($0)"].string }
        let end = try Program(container: "/nonexistent").run(["identify"] + paths)
        #expect(end.status == 1)
        let (found, missing) = (end.output.split(separator: "\n"), end.errors.split(separator: "\n"))
        #expect(found.count == 100 && missing.count == 100)
        for (number, path) in paths.enumerated() {
            #expect((number % 2 == 0 ? found : missing)[number / 2].hasPrefix(path + ": "))
        }
        #expect(missing[99].hasSuffix("no such file; check the name"))
    }

    @Test func verboseShowsClaimsAndEvidence() throws {
        let folder = try Self.folder()
        let end = try Self.sluice("-v", folder["a.md"].string)
        #expect(
            end.output == """
                \(folder["a.md"]): text/markdown, guessed
                    claim     named a.md
                    evidence  name: *.md
                    evidence  text: ASCII

                """)
    }

    /// The message has a command that works as it stands.
    @Test func namesTheWayToAFolder() throws {
        let folder = try Self.folder()
        try folder.write("it's/a.md", "# a")
        let end = try Self.sluice(folder["it's"].string)
        #expect(end.status == 1 && end.output.isEmpty)
        let found = try #require(end.errors.firstRange(of: "it is a folder; name its files: "), "\(end.errors)")
        let command = "find \(ShellQuote.quote(folder["it's"])) -type f -print0 | sluice identify --files-from - -0"
        #expect(end.errors[found.upperBound...] == "\(command)\n")
        let list = try folder.write("list", "\(folder["it's/a.md"])\0")
        let again = try Program(container: "/nonexistent").run(["identify", "--files-from", "-", "-0"], from: list)
        #expect(again.status == 0 && again.output.contains("it's/a.md: text/markdown"))
    }

    @Test func aFileURLIsItsFile() throws {
        let folder = try Self.folder()
        let url = "file://\(folder["b%20c"])"
        let end = try Self.sluice(url)
        #expect(end.status == 0 && end.output.hasPrefix("\(folder["b c"]): application/pdf  ("), "\(end)")
        let hostile = try Self.sluice("file://server.example/a")
        #expect(hostile.status == 1 && hostile.errors.contains("names a file on another host, server.example"))
    }

    @Test(arguments: ["https://x.example/a", "HTTP://x.example"]) func aWebAddressIsNotFetched(_ url: String) throws {
        let why =
            "\(url): a web address is not fetched, and `sluice ingest` takes it in as a link; a file of this name is"
        for end in [try Self.sluice(url), try Self.sluice("--files-from", "-", input: url)] {
            #expect(end.status == 1 && end.output.isEmpty && end.errors == "\(why) written as ./\(url)\n", "\(end)")
        }
    }

    @Test func reportsWhatIsNoFile() throws {
        let folder = try Self.folder()
        let end = try Self.sluice(folder.path.string, "/dev/null", "--json")
        #expect(end.status == 1)
        #expect(end.output.contains("is a folder; name its files"))
        #expect(end.output.contains("is a device; only files are taken in"))
        #expect(try Self.sluice("--files-from", folder["none"].string).status == 64)
    }

    /// A client writes a request and waits for its answer while the stream stays open.
    @Test func answersDoNotWaitForTheNextRequest() throws {
        let folder = try Self.folder()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = Program.folder.appending(path: "sluice")
        process.arguments = ["identify", "--claims", "-"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for _ in 0..<3 {
            try input.fileHandleForWriting.write(contentsOf: Data("{\"path\":\"\(folder["b c"])\"}\n".utf8))
            let answer = output.fileHandleForReading.availableData
            #expect(String(decoding: answer, as: UTF8.self).contains(#""type":"application/pdf""#))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
