import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import sluice

/// `sluice show` on a terminal: the real program, its sinks, and a pseudo terminal that answers.
@Suite(.timeLimit(.minutes(60))) struct ShowPicturesTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
    private static let sixel = "\u{1B}[6;20;10t\u{1B}[?62;4c"
    private static let none = "\u{1B}[6;20;10t\u{1B}[?62;c"

    private let folder: TestFolder
    private let program: Program
    private let id: String

    /// A container with a photo of 4 × 8 pixels, and its thumbnail.
    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
        try folder.write("in/photo.jpg", PictureFixtures.turned)
        id = try program.ingest(folder["in"]).receipt.id
    }

    private struct Shown {
        var status: Int32
        var output: String
        /// Whether the terminal has the modes that it had before.
        var isRestored: Bool
    }

    /// Runs the program with the pseudo terminal as its controlling terminal, as a shell does.
    ///
    /// - Parameter answer: what the terminal answers, or the person types, when it is asked; `nil` if it must not be.
    private func show(_ options: [String] = [], _ variables: [String: String] = [:], answer: String?) async throws
        -> Shown
    {
        let terminal = try PseudoTerminal()
        let modes = try terminal.modes
        var program = program
        program.executable = "/usr/bin/setsid"
        // Other tests may take all processors, and the answer comes late.
        let usual = ["TERM": "xterm-256color", "NO_COLOR": "", "SLUICE_TERMINAL_SECONDS": "60"]
        program.variables = usual.merging(variables) { $1 }
        let sluice = Program.folder.appending(path: "sluice").path
        let scratch = try TestFolder()
        // Held open to the end, so that the terminal keeps its modes.
        let descriptor = try terminal.open()
        defer { try? descriptor.close() }
        let process = try program.start(
            ["--ctty", "--wait", sluice, "show", id] + options, input: terminal.path, scratch: scratch,
            output: FileHandle(fileDescriptor: descriptor.rawValue, closeOnDealloc: false))
        var output = ""
        if let answer {
            let question = TerminalAnswers.question
            output = try await BlockingCall.run { try terminal.read(until: question, orEndOf: process) }
            try #require(output.hasSuffix(question), "the terminal was not asked: \(output.debugDescription)")
            output = String(output.dropLast(TerminalAnswers.question.count))
            try terminal.type(answer)
        }
        output += try await BlockingCall.run { try terminal.read(orEndOf: process) }
        process.waitUntilExit()
        #expect(try Disk.bytes(scratch["errors"]).isEmpty)
        return Shown(
            status: process.terminationStatus, output: output.replacing("\r\n", with: "\n"),
            isRestored: try terminal.modes == modes)
    }

    /// The output without pictures.
    private func plain() async throws -> String { try await show(["--no-pictures"], answer: nil).output }

    @Test func kittyGetsPixels() async throws {
        let shown = try await show(answer: Self.kitty)
        #expect(shown.status == 0 && shown.isRestored)
        let frame =
            #/
            \n [│\ ]+ \n \x1B 7 \x1B \[ 1A \x1B \[ [0-9]+ C
            \x1B _Ga=T,t=d,f=24,s=4,v=8,C=1,q=2,m=0; ( [A-Za-z0-9+/=]+ ) \x1B \\ \x1B 8
            /#
        let found = try #require(shown.output.firstMatch(of: frame), "\(shown.output.debugDescription)")
        #expect(Data(base64Encoded: String(found.output.1))?.count == 4 * 8 * 3)
        // Everything else is as without pictures.
        #expect(try await shown.output.replacing(found.output.0, with: "\n") == plain())
    }

    @Test func otherTerminalsGetSixels() async throws {
        let shown = try await show(answer: Self.sixel)
        #expect(shown.status == 0 && shown.isRestored)
        let frame = #/\x1B7\x1B\[1A\x1B\[[0-9]+C\x1BP0;1q"1;1;4;8\#[^\x1B]+\x1B\\\x1B8/#
        #expect(shown.output.contains(frame), "\(shown.output.debugDescription)")
    }

    @Test(arguments: [none, "\u{1B}[?62;4c"]) func aTerminalWithoutPicturesOrCellsShowsNone(answer: String) async throws
    {
        let shown = try await show(answer: answer)
        #expect(shown.status == 0 && shown.isRestored)
        #expect(try await shown.output == plain())
    }

    @Test func aSilentTerminalShowsNone() async throws {
        let shown = try await show([], ["SLUICE_TERMINAL_SECONDS": "1"], answer: "")
        #expect(shown.status == 0 && shown.isRestored)
        #expect(try await shown.output == plain())
    }

    @Test(arguments: [
        ["TERM": "tmux-256color"], ["TERM": "screen.xterm-256color"], ["TERM": "linux"], ["TERM": "dumb"],
        ["NO_COLOR": "1"],
    ])
    func theseTerminalsAreNotAsked(variables: [String: String]) async throws {
        let shown = try await show([], variables, answer: nil)
        #expect(shown.status == 0 && shown.output.contains("photo.jpg"))
        #expect(!shown.output.contains("\u{1B}_G") && !shown.output.contains("\u{1B}[c"))
    }

    @Test func aPipeGetsNoPictures() throws {
        let end = try program.run(["show", id])
        #expect(end.status == 0 && end.output.contains("thumbnail.jpg"))
        #expect(!end.output.contains("\u{1B}"))
        #expect(try program.run(["show", "--json", id]).receipt.id == id)
    }

    @Test func jsonOnATerminalIsJSON() async throws {
        let shown = try await show(["--json"], answer: nil)
        #expect(shown.status == 0 && shown.output.hasPrefix(#"{"receipt":"#) && !shown.output.contains("\u{1B}"))
    }

    /// The person presses Ctrl-C while the terminal does not answer.
    @Test func controlCRestoresTheTerminal() async throws {
        let shown = try await show(answer: "\u{3}")
        #expect(shown.status == ExitStatus.interrupted.rawValue && shown.isRestored)
        #expect(!shown.output.contains("photo.jpg"))
    }

    @Test func aBrokenThumbnailSaysSo() async throws {
        try folder.write(
            "sinks/large/sink.json",
            #"""
            {"id": "large", "version": "1", "protocol": 1, "command": ["large"], "role": "primary",
             "accepts": [{"type": "text/plain", "priority": 99}]}
            """#)
        try folder.write("sinks/large/large", Self.sink, mode: 0o755)
        try folder.write("more/a.txt", "words")
        var program = program
        program.sinks = folder["sinks"]
        let text = try program.ingest(folder["more"]).receipt
        let types = text.providers[0].deliveries[0].products.map(\.type.description)
        #expect(types == Array(repeating: "image/png", count: 11))
        let other = ShowPicturesTests(folder, program, text.id)
        let shown = try await other.show(answer: Self.kitty)
        #expect(shown.status == 0 && shown.isRestored)
        #expect(shown.output.matches(of: /not shown/).count == Thumbnails.most)
        #expect(shown.output.contains(/3 more pictures:\s+sluice path [0-9a-f]{12} --container/), "\(shown.output)")
    }

    private init(_ folder: TestFolder, _ program: Program, _ id: String) {
        (self.folder, self.program, self.id) = (folder, program, id)
    }

    /// A sink whose thumbnails are PNGs without pixels, each of another size.
    private static let sink = """
        #!/usr/bin/env python3
        import json, struct, sys, zlib
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for line in sys.stdin:
            message = json.loads(line)
            if "hello" in message:
                print(json.dumps({"hello": {"protocol": 1, "id": "large", "version": "1"}}), flush=True)
            elif "configure" in message:
                print(json.dumps({"ready": {}}), flush=True)
            elif "deliver" in message:
                delivery = message["deliver"]
                for side in range(1, 12):
                    header = struct.pack(">IIBBBBB", 100_000 * side, 100_000, 8, 2, 0, 0, 0)
                    with open(f"{delivery['out']}/{side}.png", "wb") as file:
                        file.write(bytes.fromhex("89504e470d0a1a0a") + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
                products = [{"path": f"{side}.png", "role": "thumbnail", "type": "image/png"} for side in range(1, 12)]
                print(json.dumps({"done": {"id": delivery["id"], "status": "delivered", "products": products}}), flush=True)
        """
}
