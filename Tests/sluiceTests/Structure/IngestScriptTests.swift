import Foundation
import SystemPackage
import Testing

/// The script of `make ingest`, with a program that only writes down how it was called.
@Suite(.timeLimit(.minutes(60))) struct IngestScriptTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let script = PackageDump.root.appending(path: "Scripts/ingest")
        try folder.write("Scripts/ingest", String(contentsOf: script, encoding: .utf8), mode: 0o755)
        try folder.write("Samples/shares/a.share/share.json", "{}")
        try folder.write("own/a.txt", "a")
        try folder.write("program", "#!/bin/sh\necho \"$*\" >> log\nexit ${STATUS:-0}\n", mode: 0o755)
    }

    private func ingest(_ from: String?, status: Int = 0) throws -> (status: Int32, calls: String, messages: String) {
        let process = Process()
        let messages = Pipe()
        process.executableURL = URL(filePath: folder["Scripts/ingest"].string)
        process.arguments = ["./program"]
        process.currentDirectoryURL = URL(filePath: folder.path.string)
        var environment = ProcessInfo.processInfo.environment
        (environment["FROM"], environment["STATUS"]) = (from, String(status))
        process.environment = environment
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, messages)
        try process.run()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let log = try String(contentsOf: URL(filePath: folder["log"].string), encoding: .utf8)
        return (process.terminationStatus, log, text)
    }

    /// They would be among the person's own files for good.
    @Test(
        arguments: [
            (nil, "/shares"), ("Samples/shares", "/shares"), ("Samples/shares/", "/shares"),
            ("Samples/shares//", "/shares"), ("./Samples/shares", "/shares"), ("ROOT/Samples/shares", "/shares"),
            ("own/../Samples//shares/.", "/shares"), ("own/link", "/shares"), ("Samples", ""),
            ("Samples/shares/a.share", "/shares/a.share"),
            ("own/link/a.share/share.json", "/shares/a.share/share.json"),
        ] as [(String?, String)], [0, 1])
    func theSamplesHaveAContainerOfTheirOwn(_ names: (from: String?, taken: String), _ status: Int) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder["own/link"].string, withDestinationPath: "../Samples/shares")
        let end = try ingest(names.from?.replacing("ROOT", with: folder.path.string), status: status)
        #expect(end.status == 0)
        #expect(end.calls == "ingest --container .build/samples-container -- .build/samples\(names.taken)\n")
        #expect(end.messages.contains("    ./program list --container .build/samples-container\n"))
    }

    @Test(arguments: ["own", "own/", "Samples-of-mine", "-"])
    func otherFilesGoIntoThePersonsContainer(_ from: String) throws {
        try folder.write("Samples-of-mine/shares/a.txt", "a")
        let end = try ingest(from)
        #expect(end.status == 0 && end.calls == "ingest -- \(from)\n")
        #expect(!end.messages.contains("--container"))
    }

    @Test func aFailureStaysOne() throws {
        let end = try ingest(nil, status: 2)
        #expect(end.status == 2 && !end.messages.contains("list --container"))
    }
}
