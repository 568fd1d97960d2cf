import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// `path`, `cat` and `open`: a person reaches the files of a package by their names.
@Suite struct PackageFileTests {
    private let folder: TestFolder
    private var container: FilePath { folder["container"] }
    private var program: Program { Program(container: container) }

    init() throws { folder = try TestFolder() }

    /// A share with these attachments, and the beginning of its identifier.
    private func takeIn(_ attachments: String...) throws -> String {
        let all = attachments.joined(separator: ", ")
        try folder.share("in/s", title: "both", all)
        // Without deliveries, so that the parts are the only files.
        let receipt = try program.ingest(folder["in"], options: ["--no-deliver"]).receipt
        return ShortID.of(receipt.id)
    }

    private static func text(_ text: String, _ name: String) -> String {
        #"{"name": "\#(name)", "representations": [{"text": "\#(text)"}]}"#
    }

    /// The output of a command that succeeds.
    private func output(_ arguments: String...) throws -> String {
        let end = try program.run(arguments)
        #expect(end.status == 0, "\(end.errors)")
        return end.output
    }

    @Test func theOnlyPartStandsForItsPackage() throws {
        let bytes: [UInt8] = [0, 0xFF, 0x0A, 0x1B, 0x80]
        try folder.write("in/a.bin", bytes)
        let id = ShortID.of(try program.ingest(folder["in"]).receipt.id)
        let copy = folder["copy"]
        try shell("'\(Program.folder.path)/sluice' cat \(id) --container '\(container)' > '\(copy)'")
        #expect(try Disk.bytes(copy) == bytes)
        let path = try output("path", id).trimmed
        #expect(path.hasPrefix(container.appending("objects").string), "\(path)")
        #expect(try Disk.bytes(FilePath(path)) == bytes)
    }

    @Test func eachPartHasANumberAndAName() throws {
        let id = try takeIn(Self.text("one", "a.txt"), Self.text("two", "b.txt"), Self.text("three", "b.txt"))
        #expect(try output("cat", "\(id)/1") == "one")
        #expect(try output("cat", "\(id)/a.txt") == "one")
        #expect(try output("cat", "\(id)/3", "\(id)/2") == "threetwo")
        let lines = try output("path", id).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(try output("path", "\(id)/2") == "\(lines[1])\n")
        let rows = try output("path", "--json", id).split(separator: "\n")
        #expect(rows.count == 3 && rows[1].contains(#""id":"\#(id)/2""#) && rows[1].contains(#""name":"b.txt""#))
    }

    /// Each message names what can be typed instead.
    @Test(arguments: [
        ("", "has 3 files; name one: ID/1 (a.txt), ID/2 (b.txt), ID/3 (b.txt)"),
        ("/", "has 3 files; name one: ID/1 (a.txt), ID/2 (b.txt), ID/3 (b.txt)"),
        ("/b.txt", "'b.txt' names 2 files of the package ID; name one: ID/2 (b.txt), ID/3 (b.txt)"),
        ("/4", "has no file '4'; name one: ID/1 (a.txt), ID/2 (b.txt), ID/3 (b.txt)"),
        ("/../1", "has no file '../1'; name one: ID/1 (a.txt), ID/2 (b.txt), ID/3 (b.txt)"),
    ])
    func anUnclearNameGetsAChoice(_ word: String, _ message: String) throws {
        let id = try takeIn(Self.text("one", "a.txt"), Self.text("two", "b.txt"), Self.text("three", "b.txt"))
        let end = try program.run(["cat", id + word])
        #expect(end.status == 1 && end.output.isEmpty)
        #expect(end.errors.contains(message.replacing("ID", with: id)), "\(end.errors)")
        #expect(try program.run(["path", "zz"]).status == 64)
        #expect(try program.run(["path", "0000/1"]).errors.contains("no package"))
    }

    /// A photo with its sidecar opens as the photo.
    @Test func theLeadStandsForItsGroup() throws {
        let sample = PackageDump.root.appending(path: "Samples/groups/raw-photo").path
        try FileManager.default.copyItem(atPath: sample, toPath: folder["in"].string)
        let receipt = try #require(try program.ingest(folder["in"]).receipts.first { $0.providers.count > 1 })
        let lead = try #require(receipt.groups.first?.providers.first)
        let path = try output("path", "\(receipt.id)/\(lead + 1)")
        let end = try program.run(["open", "--with", "echo", receipt.id])
        #expect(end.status == 0 && end.output.hasSuffix("/\(receipt.providers[lead].name)\n"), "\(end)")
        #expect(try Disk.bytes(FilePath(end.output.trimmed)) == Disk.bytes(FilePath(path.trimmed)))
    }

    @Test func productsHaveTheNamesThatTheirSinksGave() throws {
        let png = PackageDump.root.appending(path: "Plugins/ImageImport/samples/png/content.png")
        try folder.write("in/a.png", [UInt8](Data(contentsOf: png)))
        let receipt = try program.ingest(folder["in"]).receipt
        let delivery = try #require(receipt.providers.first?.deliveries.first)
        let product = try #require(delivery.products.first)
        let id = receipt.id
        for word in ["", "\(delivery.sink)/", "1/", "1/\(delivery.sink)/"] {
            let path = try output("path", "\(id)/\(word)\(product.name)").trimmed
            #expect(path.hasSuffix(product.sha256.description), "\(word)")
        }
        #expect(try output("path", id).split(separator: "\n").count == 1 + delivery.products.count)
        #expect(try output("cat", id).isEmpty == false, "the content, not a product, stands for its package")
    }

    @Test func keptBytesCanBeRead() throws {
        let end = try program.run(["ingest", "--json", "-"], input: #"{"version": 1, "items": [{"#)
        let id = try end.receipt.id
        #expect(try output("cat", "\(id)/kept") == #"{"version": 1, "items": [{"#)
        #expect(try output("cat", id) == #"{"version": 1, "items": [{"#)
    }

    @Test func aPackageWithoutAFileSaysWhy() throws {
        try folder.share("in/s", #"{"name": "gone", "representations": [{"file": "gone"}]}"#)
        let receipt = try program.ingest(folder["in"]).receipt
        let end = try program.run(["path", receipt.id])
        #expect(end.status == 1 && end.errors.contains("has no file: "), "\(end.errors)")
    }

    @Test(arguments: [["cat"], ["open", "--with", "echo"]]) func lostContentHasARemedy(_ command: [String]) throws {
        let id = try takeIn(Self.text("one", "a.txt"))
        let path = try output("path", id).trimmed
        try FileManager.default.removeItem(atPath: path)
        let end = try program.run(command + [id])
        #expect(end.status == 1 && end.output.isEmpty)
        #expect(end.errors.contains("the content of a.txt is lost; run `sluice verify --repair"), "\(end.errors)")
    }

    // MARK: Opening

    @Test func aFileOpensUnderItsName() throws {
        let id = try takeIn(Self.text("one", "a.txt"), Self.text("two", "b.txt"))
        try folder.write("bin/opener", "#!/bin/sh\ncat \"$1\"; echo \" $1\"; exit 3\n", mode: 0o755)
        let end = try program.run(["open", "--with", folder["bin/opener"].string, "\(id)/b.txt"])
        #expect(end.status == 3, "the status of the program")
        #expect(end.output.hasPrefix("two \(container)/run/open/") && end.output.hasSuffix("/b.txt\n"), "\(end)")
        let path = FilePath(String(end.output.dropFirst(4).dropLast()))
        #expect(try Disk.mode(path) & 0o222 == 0, "it can only be read")
        // A program that replaces the file leaves the object alone, and the next call opens the object.
        try FileManager.default.removeItem(atPath: path.string)
        try Data("other".utf8).write(to: URL(filePath: path.string))
        let again = try program.run(["open", "--with", folder["bin/opener"].string, "\(id)/2"])
        #expect(again.output == end.output)
        #expect(try program.run(["verify"]).status == 0)
    }

    /// The names of opened files go with their package, and with a collection.
    @Test func noNameOfAnOpenedFileRemains() throws {
        let id = try takeIn(Self.text("one", "Zephyranthes.txt"))
        _ = try output("open", "--with", "true", id)
        #expect(Disk.files(below: container).contains { $0.hasSuffix("/Zephyranthes.txt") })
        _ = try output("forget", id)
        #expect(!Disk.files(below: container).contains { $0.contains("Zephyranthes") })
        let other = try takeIn(Self.text("two", "Zephyranthes.txt"))
        _ = try output("open", "--with", "true", other)
        _ = try output("gc", "--dry-run", "--grace", "0")
        #expect(Disk.files(below: container).contains { $0.hasSuffix("/Zephyranthes.txt") })
        _ = try output("gc", "--grace", "0")
        #expect(!Disk.files(below: container).contains { $0.hasSuffix("/Zephyranthes.txt") })
        #expect(try output("cat", other) == "two")
    }

    /// A sender could name a scheme of a program.
    @Test(arguments: [("https://a.example/b?c", true), ("ftp://a.example/b", false)])
    func aLinkOpensAsItsAddress(_ address: String, _ isOpened: Bool) throws {
        let id = try takeIn(#"{"representations": [{"link": "\#(address)"}]}"#)
        let end = try output("open", "--with", "echo", id)
        #expect((end == "\(address)\n") == isOpened, "\(end)")
        #expect(end.hasPrefix("\(container)/run/open/") != isOpened)
    }

    @Test func aMissingProgramHasARemedy() throws {
        let id = try takeIn(Self.text("one", "a.txt"))
        var lacking = program
        lacking.variables["PATH"] = folder.path.string
        let end = try lacking.run(["open", id])
        #expect(end.status == 64 && end.errors.contains("xdg-open cannot be started: it is not installed"), "\(end)")
        #expect(end.errors.contains("--with"))
    }

    // MARK: Terminals

    /// Runs a command on a terminal of its own.
    private func onTerminal(_ arguments: String...) throws -> (status: Int32, output: String) {
        let words = [Program.folder.appending(path: "sluice").path] + arguments + ["--container", container.string]
        let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        return try shell("python3 -c '\(script)' \(quoted) </dev/null")
    }

    @Test func aTerminalGetsOnlyText() throws {
        try folder.write("in/a.txt", "one\ttab\r\n\u{1B}[31mred\u{9B}2J ünï\n")
        try folder.write("in/b.bin", [0, 1, 2, 0xFF])
        let receipts = try program.ingest(folder["in"]).receipts
        let text = try onTerminal("cat", receipts[0].id)
        // A terminal ends a line with a carriage return and a line feed.
        #expect(text.status == 0 && text.output == "one\ttab\r\n\\u{1B}[31mred\\u{9B}2J ünï\r\n", "\(text)")
        let binary = try onTerminal("cat", receipts[1].id)
        #expect(binary.status == 64 && binary.output.contains("b.bin is no text"), "\(binary)")
        #expect(binary.output.contains("> FILE"))
        #expect(try onTerminal("path", receipts[1].id).output.contains("\(ShortID.of(receipts[1].id))/1"))
    }

    /// Each cut into pieces gives the same text.
    @Test func piecesAreJoined() {
        let bytes = Array("a\u{1B}é€😀\r\nb\rc\t\u{202E}".utf8) + [0xFF, 0xE2, 0x82]
        var whole = TerminalText()
        let expected = whole.show(bytes) + whole.finish()
        #expect(String(decoding: expected, as: UTF8.self) == "a\\u{1B}é€😀\nb\\rc\t\\u{202E}\\xFF\\xE2\\x82")
        for size in 1...bytes.count {
            var text = TerminalText()
            var shown: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                shown += text.show(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(shown + text.finish() == expected, "\(size)")
        }
    }

    /// Runs a script, and returns its status and its output.
    @discardableResult
    private func shell(_ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        try folder.write("shell-output", "")
        let handle = try FileHandle(forWritingTo: URL(filePath: folder["shell-output"].string))
        (process.standardOutput, process.standardError) = (handle, handle)
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Disk.bytes(folder["shell-output"]), as: UTF8.self))
    }
}
