import Foundation
import ShareModel
import SystemPackage
import Testing

/// `sluice share`, as a person or a script runs it.
@Suite(.timeLimit(.minutes(60))) struct ShareCommandTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func makeContainer() throws { #expect(try program.ingest(folder.write("first.txt", "first")).status == 0) }

    /// The packages besides the first one.
    private func count() throws -> Int { try program.run(["list", "--json"]).messages.compactMap(\.package).count - 1 }

    @Test func aShareIsStoredAndDeliveredLater() throws {
        try makeContainer()
        let (one, two) = (try folder.write("one.txt", "one"), try folder.write("two.txt", "two"))
        let end = try program.run(["share", one.string, two.string, "https://example.org/", "--title", "Three"])
        #expect(end.status == 0 && end.output.hasPrefix("accepted   Three"), "\(end.errors)")
        #expect(end.output.contains("next: sluice deliver") && end.errors.isEmpty)
        let again = try program.run([
            "share", "--json", one.string, two.string, "https://example.org/", "--title", "Three",
        ])
        #expect(try again.status == 0 && again.receipt.outcome == .duplicate)
        #expect(try program.run(["deliver"]).status == 0)
        #expect(try program.run(["search", "two", "--json"]).messages.count == 1)
    }

    @Test(
        arguments: [
            (#"{"version": 1, "items": [{"text": "hello"}]}"#, [], 0), ("https://example.org/", [], 0),
            ("any bytes", ["--name", "a.txt"], 0), ("any bytes", [], 11), ("", [], 11), ("{", [], 11),
            (#"{"version": 1, "items": []}"#, [], 10),
            (
                #"{"version": 1, "items": [{"text": "a"}]}"# + "\n" + #"{"version": 1, "items": [{"text": "b"}]}"#, [],
                11
            ),
        ] as [(String, [String], Int32)])
    func standardInputIsOneShare(_ input: String, _ options: [String], _ status: Int32) throws {
        try makeContainer()
        let end = try program.run(["share", "-"] + options, input: input)
        #expect(end.status == status, "\(end.errors)")
        #expect(try count() == (status == 0 ? 1 : 0))
    }

    @Test func aShareGoesToItsDestination() throws {
        try makeContainer()
        func sinks(_ receipt: Receipt) -> [String] { receipt.providers.flatMap(\.deliveries).map(\.sink) }
        let kept = try program.run(["share", "--json", "--text", "for the shelf", "--to", "keep"]).receipt
        #expect(kept.destination == "keep" && sinks(kept) == ["keep"])
        #expect(try program.run(["show", "--json", kept.id]).receipt.destination == "keep", "it is on record")
        // The same share without a name goes to the sink for its type, too.
        let again = try program.run(["share", "--json", "--text", "for the shelf"]).receipt
        #expect(again.outcome == .duplicate && sinks(again).sorted() == ["keep", "text-note"])
        for (name, why) in [("nowhere", "there is no destination 'nowhere'"), ("pdf-import", "takes no text/plain")] {
            let end = try program.run(["share", "--text", "words", "--to", name])
            #expect(end.status == 17 && end.errors.contains(why), "\(end)")
        }
        #expect(try count() == 1, "nothing of them is stored")
        let list = try program.run(["status", "--destinations"])
        #expect(list.status == 0 && list.output.contains("\npdf-import     application/pdf"), "\(list.output)")
        struct Line: Decodable {
            struct Destination: Decodable { var name: String }
            var destination: Destination
        }
        let names = try program.run(["status", "--destinations", "--json"]).output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8)).destination.name
        }
        #expect(Set(names).isSuperset(of: ["keep", "text-note", "pdf-import"]))
    }

    @Test func eachFailureHasAStatus() throws {
        let link = "https://example.org/"
        #expect(try program.run(["share", link]).status == 12, "a container that was named must be there")
        try makeContainer()
        #expect(try program.run(["share"]).status == 10)
        for others in [[], ["https://example.org/"]] {
            let missing = try program.run(["share", "/nonexistent/a"] + others)
            #expect(missing.status == 11)
            #expect(
                missing.errors == "sluice: nothing is shared: /nonexistent/a: no such file or folder; check the name\n")
        }
        #expect(try program.run(["share", "just words"]).errors.contains("share words with --text"))
        #expect(try program.run(["share", "-"], input: "just words").errors.contains("--text TEXT shares words"))
        #expect(try program.run(["share", "-", link]).status == 64)
        let large = try folder.write("large", [UInt8](repeating: 1, count: 1 << 20))
        #expect(try program.run(["share", large.string, "--reserve", "1000T"]).status == 15)
        try folder.write("container/format", #"{"format": "sluice-container", "version": 5, "group": "g"}"#)
        try folder.write("Letter.pages/index.xml", "<a/>")
        let older = try program.run(["share", folder["Letter.pages"].string])
        #expect(older.status == 13 && older.errors.contains("sluice migrate"), "\(older.errors)")
        try folder.write("container/format", #"{"format": "sluice-container", "version": 99, "group": "g"}"#)
        #expect(try program.run(["share", link]).status == 14)
    }

    @Test func theDefaultContainerIsMade() throws {
        let process = Process()
        process.executableURL = Program.folder.appending(path: "sluice")
        process.arguments = ["share", "--text", "a note"]
        process.environment = ["HOME": folder["home"].string, "PATH": "/usr/bin:/bin"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(Disk.names(in: folder["home/.local/share/sluice/group.sluice.default"]).contains("format"))
    }

    /// What a process may take over from the one that started it.
    @Test(arguments: [
        "umask 0777; exec \"$@\"", "exec \"$@\" <&- >&- 2>&-", "exec \"$@\" >/dev/full", "exec \"$@\" >&-",
        "mkdir gone; cd gone; rmdir ../gone; exec \"$@\"", "exec env -i LC_ALL=tr_TR.UTF-8 \"$@\"",
        "trap '' TERM; exec \"$@\"",
        "ulimit -c 0; ulimit -n 128; exec \"$@\"", "cd /; exec \"$@\"",
    ])
    func nothingInheritedChangesAShare(_ script: String) throws {
        try makeContainer()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = URL(filePath: folder.path.string)
        process.arguments = [
            "-c", script, "sh", Program.folder.appending(path: "sluice").path, "share", "https://example.org/",
            "--container",
            program.container.string,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try count() == 1)
        let verified = try program.run(["verify"])
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// The signals are blocked in the process that starts it.
    @Test(arguments: [SIGINT, SIGTERM]) func anInterruptedShareLeavesNothing(_ signal: Int32) throws {
        try makeContainer()
        let before = Disk.files(below: program.container.appending("objects"))
        let code = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", code, Program.folder.appending(path: "sluice").path, "share", "-", "--name", "a.bin",
            "--container", program.container.string,
        ]
        let (input, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (input, errors)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(repeating: 65, count: 60_000))
        // It reads the content as soon as it has a folder for it.
        let staging = program.container.appending("tmp")
        while Disk.names(in: staging).isEmpty, process.isRunning { sched_yield() }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationStatus == 16)
        let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.contains("the share was canceled; nothing of it was stored"))
        #expect(Disk.names(in: staging).isEmpty)
        #expect(Disk.files(below: program.container.appending("objects")) == before)
        #expect(try count() == 0)
    }
}
