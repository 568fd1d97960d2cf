import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading

/// Standard input beyond the samples: waits, memory, room and what is kept.
@Suite(.timeLimit(.minutes(60))) struct StandardInputTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    // MARK: - Waits

    /// A pipe whose other end the test has open, so that it never ends.
    private func pipe() throws -> (path: FilePath, writer: FileDescriptor) {
        let path = folder["pipe"]
        try #require(mkfifo(path.string, 0o600) == 0)
        return (path, try FileDescriptor.open(path, .readWrite, options: .closeOnExec))
    }

    /// The bytes in a pipe that were not read yet.
    private static func unread(_ pipe: FileDescriptor) -> Int32 {
        var count: Int32 = 0
        return ioctl(pipe.rawValue, UInt(FIONREAD), &count) == 0 ? count : -1
    }

    /// Whether a process handles a signal, or will.
    private static func handles(_ signal: Int32, _ process: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return ["SigBlk", "SigIgn", "SigCgt"].contains { name in
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
            return mask & (1 << UInt64(signal - 1)) != 0
        }
    }

    /// Sends a signal to a program that has read all bytes of its pipe and handles the signal. Waits for its end.
    private static func interrupt(_ process: Process, by signal: Int32, whenItHasRead pipe: FileDescriptor) throws {
        while process.isRunning {
            if unread(pipe) == 0, try handles(signal, process.processIdentifier) { break }
            sched_yield()
        }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    /// The program waits for more of these bytes. A signal ends the wait.
    @Test(
        arguments: [["-"], ["-", "--name", "a.bin"], ["--files-from", "-"], ["--dry-run", "-"]], [SIGINT, SIGTERM])
    func aSilentPipeIsInterrupted(_ arguments: [String], _ signal: Int32) throws {
        let (path, writer) = try pipe()
        defer { try? writer.close() }
        let scratch = try TestFolder()
        let process = try program.start(["ingest"] + arguments, input: path, scratch: scratch, output: nil)
        try writer.writeAll("{".utf8)
        try Self.interrupt(process, by: signal, whenItHasRead: writer)
        let end = try program.end(of: process, scratch)
        #expect(process.terminationReason == .exit && end.status == 130, "\(end)")
        #expect(end.output.contains("0 packages"), "\(end)")
    }

    // MARK: - Descriptions that come now and then

    private static func description(_ number: Int) -> String {
        #"{"version": 1, "items": [{"text": "note \#(number)"}]}"# + "\n"
    }

    /// The sender waits until its description is stored before it sends the next one.
    @Test func aDescriptionDoesNotWaitForTheNextOne() throws {
        let (path, writer) = try pipe()
        let (scratch, output) = (try TestFolder(), Pipe())
        let process = try program.start(
            ["ingest", "--json", "--no-deliver", "-"], input: path, scratch: scratch, output: output)
        var lines = LineReader(FileDescriptor(rawValue: output.fileHandleForReading.fileDescriptor))
        for number in 1...3 {
            try writer.writeAll(Self.description(number).utf8)
            let line = try #require(try lines.next())
            let message = try JSONDecoder().decode(Program.Message.self, from: Data(line.bytes))
            #expect(message.receipt?.outcome == .accepted && message.receipt?.item?.text == "note \(number)")
        }
        try writer.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Nothing else has the lines that came through a pipe.
    @Test(arguments: [SIGINT, SIGTERM]) func anInterruptedRunStoresTheLinesThatAreWhole(_ signal: Int32) throws {
        let (path, writer) = try pipe()
        defer { try? writer.close() }
        let scratch = try TestFolder()
        let process = try program.start(
            ["ingest", "--json", "--no-deliver", "-"], input: path, scratch: scratch, output: nil)
        let text = (1...500).map(Self.description).joined() + #"{"version": 1, "#
        // As much as a pipe holds, so the writing does not wait.
        #expect(text.utf8.count < 64 << 10)
        try writer.writeAll(text.utf8)
        try Self.interrupt(process, by: signal, whenItHasRead: writer)
        let end = try program.end(of: process, scratch)
        #expect(end.status == 130, "\(end.errors)")
        #expect(try end.receipts.map { $0.item?.text } == (1...500).map { "note \($0)" })
        #expect(try end.summary.accepted == 500)
    }

    /// A description over several lines has no end of its own. What came of it is taken in, whole or not.
    @Test(arguments: [
        ("{\n\"version\": 1,\n\"items\": [{\"text\": \"a note\"}]}\n", true),
        ("{\"version\": 1, \"items\": [{\"text\": \"a note\"}]}", true),
        ("{\n\"version\": 1,\n\"items\": [{\"text\": \"a no", false),
        ("{\"text\":\n{\"text\": 1}\n", false),
    ])
    func anInterruptedRunStoresADescriptionOfSeveralLines(_ text: String, _ isWhole: Bool) throws {
        let (path, writer) = try pipe()
        defer { try? writer.close() }
        let scratch = try TestFolder()
        let process = try program.start(
            ["ingest", "--json", "--no-deliver", "-"], input: path, scratch: scratch, output: nil)
        try writer.writeAll(text.utf8)
        try Self.interrupt(process, by: SIGINT, whenItHasRead: writer)
        let end = try program.end(of: process, scratch)
        #expect(try end.receipts.map(\.outcome) == [isWhole ? .accepted : .failed], "\(end.errors)")
        // Without the line feed at the end.
        let count = Int64(text.utf8.count - (text.hasSuffix("\n") ? 1 : 0))
        if !isWhole { #expect(try end.receipts[0].kept?.map(\.size) == [count]) }
    }

    /// A run that is cancelled before it begins did not fail.
    @Test func aCancelledRunIsNoFailure() async throws {
        var options = IngestOptions(container: folder["container"])
        options.delivers = false
        try folder.write("in/a.txt", "a")
        let input = IngestInput.paths([folder["in"]])
        let run = Task { [options] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Pipeline(options: options).ingest(input) { _ in }
        }
        switch await run.result {
        case .success(let summary): #expect(summary.packages == 0)
        case .failure(let error): #expect(error is CancellationError, "\(error)")
        }
    }

    // MARK: - Memory

    /// See ``PeakMemory``; each run has a container of its own.
    private func peak(_ arguments: [String], _ head: String = "", megabytes: Int, _ end: String = "") throws -> Int {
        try PeakMemory.ofIngest(
            arguments, into: folder["container-\(UUID().uuidString)"], head: head, megabytes: megabytes, end: end)
    }

    @Test func aLargeFileTakesFixedMemory() throws {
        let arguments = ["-", "--name", "large.bin"]
        let (small, large) = try (peak(arguments, megabytes: 8), peak(arguments, megabytes: 400))
        #expect(large < 64 && large - small < 8, "8 MiB took \(small), 400 MiB took \(large)")
    }

    @Test func aLargeFormTakesFixedMemory() throws {
        let head = "--b\r\nContent-Disposition: form-data; name=a; filename=large.bin\r\n\r\n"
        let (small, large) = try (
            peak(["-"], head, megabytes: 8, "\r\n--b--\r\n"), peak(["-"], head, megabytes: 200, "\r\n--b--\r\n")
        )
        #expect(large < 64 && large - small < 8, "8 MiB took \(small), 200 MiB took \(large)")
    }

    // MARK: - Files

    @Test func aFileKeepsItsBytesAndItsName() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = try folder.write("bytes", bytes)
        let end = try program.run(["ingest", "--json", "--no-deliver", "-", "--name", "a/b\nc.bin"], from: file)
        let receipt = try end.receipt
        #expect(receipt.outcome == .accepted && receipt.source.kind == .standardInput)
        #expect(receipt.providers.map(\.sha256) == [Digest(of: bytes)] && receipt.bytes == 3_000_000)
        #expect(receipt.providers[0].suggestedName == "a/b\nc.bin")
        #expect(try Disk.bytes(folder["container"].object(of: bytes)) == bytes)
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
        let again = try program.run(["ingest", "--json", "--no-deliver", "-", "--name", "d.bin"], from: file).receipt
        #expect(again.outcome == .duplicate && again.id == receipt.id)
        #expect(try program.run(["search", "--json", "d.bin"]).messages.compactMap(\.package?.id) == [receipt.id])
    }

    /// A folder cannot be read, and neither can a standard input that is closed.
    @Test(arguments: ["< /", "<&-"]) func whatCannotBeReadIsAWrongArgument(_ redirection: String) throws {
        var program = program
        program.executable = try folder.write(
            "redirected", "#!/bin/sh\nexec '\(Program.folder.path)/sluice' \"$@\" \(redirection)\n", mode: 0o755)
        let end = try program.run(["ingest", "-"])
        #expect(end.status == 64 && end.errors.contains("standard input "), "\(end)")
        #expect(!FileManager.default.fileExists(atPath: folder["container"].string))
    }

    // MARK: - What is kept

    /// A pipe cannot be read again. So the container keeps the bytes of a form that is broken, or misses a part.
    @Test(arguments: ["form-cut-off", "form-with-a-nameless-part", "form-with-an-encoded-part", "description-broken"])
    func theBytesOfABrokenInputAreKept(_ name: String) throws {
        let file = FilePath(PackageDump.root.appending(path: "Samples/pipes/\(name)").path)
        let end = try program.run(["ingest", "--json", "--no-deliver", "-"], from: file)
        #expect(end.status == 1)
        var bytes = try Disk.bytes(file)
        // The line end after a description is none of its bytes.
        if name.hasPrefix("description") { bytes.removeLast() }
        #expect(try Disk.bytes(folder["container"].object(of: bytes)) == bytes)
        #expect(try program.run(["verify"]).status == 0)
        #expect(try program.run(["gc", "--grace", "0s", "--json"]).messages.last?.collected?.files == 0)
    }

    /// The copy of a form that is whole is no content of its own.
    @Test func theCopyOfAWholeFormIsNotKept() throws {
        let file = FilePath(PackageDump.root.appending(path: "Samples/pipes/form-of-a-browser").path)
        #expect(try program.run(["ingest", "--no-deliver", "-"], from: file).status == 0)
        let copy = folder["container"].object(of: try Disk.bytes(file))
        #expect(!FileManager.default.fileExists(atPath: copy.string))
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
        #expect(try program.run(["ingest", "--no-deliver", "--json", "-"], from: file).receipt.outcome == .duplicate)
    }

    // MARK: - Room

    /// The next input of a form of 6 MiB, on a disk with `room` bytes above the reserve.
    private func form(room: Int64, _ change: (inout ReadingLimits) -> Void = { _ in }) throws -> HandedInput? {
        let head = "--b\r\nContent-Disposition: form-data; name=a; filename=large.bin\r\n\r\n"
        let bytes = Array(head.utf8) + Array(repeating: 7, count: 6 << 20) + Array("\r\n--b--".utf8)
        let file = try FileDescriptor.open(folder.write("form", bytes), .readOnly)
        defer { try? file.close() }
        var fileSystem = HookedFileSystem()
        fileSystem.freeSpace = { FreeSpace(bytes: room + (8 << 20), total: 1 << 40, files: 1_000_000) }
        let container = try Container.open(
            at: folder["container"], fileSystem: fileSystem, reserve: SpaceReserve(bytes: 8 << 20, files: 10))
        var limits = ReadingLimits()
        change(&limits)
        var input = try StandardInput(name: nil, descriptor: file, readers: .standard, limits: limits)
        let next = try input.next { try container.objects.makeStagingArea() }
        #expect(try input.next { try container.objects.makeStagingArea() } == nil)
        return next
    }

    private func failure(_ input: HandedInput?) -> String {
        guard case .failed(let source, let error)? = input?.input, source.kind == .standardInput else { return "none" }
        return "\(error.message); \(error.remedy.map(\.description) ?? "")"
    }

    /// Other content has room, so the form fails alone.
    @Test func aFormWithoutRoomFailsAlone() throws {
        let why = failure(try form(room: 4 << 20))
        #expect(why.hasPrefix("standard input has no room: it has more than"), "\(why)")
        #expect(why.hasSuffix("make room, or lower the reserve, and run again; what came in is safe"), "\(why)")
        guard case .package? = try form(room: 60 << 20)?.input else {
            Issue.record("with room it is a package")
            return
        }
    }

    @Test func aFullDiskEndsTheRunAndNamesTheForm() throws {
        let error = #expect(throws: IngestionError.self) { try form(room: 500_000) }
        #expect(error?.code == .container && error?.remedy == .makeRoomOrLowerReserve)
        #expect(error?.message.hasPrefix("standard input has no room: ") == true, "\(error?.message ?? "")")
    }

    /// The form fails by name, and its run goes on to a receipt.
    @Test func aFormIsLimited() throws {
        func why(_ change: (inout ReadingLimits) -> Void) throws -> String {
            failure(try form(room: 1 << 30, change))
        }
        #expect(try why { $0.containerBytes = 5 << 20 }.hasPrefix("the form has more than 5242880 bytes"))
        #expect(try why { $0.formHeaderBytes = 20 }.hasPrefix("a part of the form has a header longer than 20"))
        #expect(try why { $0.containerParts = 0 }.hasPrefix("standard input contains more than 0 parts"))
    }

    @Test(arguments: ["title", "text", "url"]) func theFieldsOfAFormAreLimited(_ field: String) throws {
        func end(_ bytes: Int) throws -> Program.End {
            let text = "https://a.example/" + String(repeating: "x", count: bytes)
            return try program.run(
                ["ingest", "--json", "--no-deliver", "-"],
                input: "--b\r\nContent-Disposition: form-data; name=\(field)\r\n\r\n\(text)\r\n"
                    + "--b\r\nContent-Disposition: form-data; name=other\r\n\r\nx\r\n--b--")
        }
        #expect(try end(60_000).receipt.outcome == .accepted)
        let long = try end(1 << 20)
        #expect(long.status == 1)
        #expect(try long.receipt.reason?.contains("have at most 1048576 bytes; send them as a file") == true)
    }

    /// A text of no bytes costs memory too.
    @Test func manyShortFieldsAreLimited() throws {
        let field = "--b\r\nContent-Disposition: form-data; name=url\r\n\r\nx\r\n"
        let end = try program.run(
            ["ingest", "--json", "--no-deliver", "-"], input: String(repeating: field, count: 80_000) + "--b--")
        #expect(try end.receipt.reason?.contains("have at most 1048576 bytes") == true)
    }
}
