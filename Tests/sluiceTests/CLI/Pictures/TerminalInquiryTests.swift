import Files
import Foundation
import Ingestion
import SystemPackage
import Testing

@testable import sluice

/// What a terminal is asked and what its answers mean, with a pseudo terminal.
@Suite(.timeLimit(.minutes(60))) struct TerminalInquiryTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c"
    private static let xterm = "\u{1B}[?1;0;1024S\u{1B}[?63;1;2;4;6;9;15;16;22;28c"

    private static func answers(
        kitty: Bool = false, sixel: Bool = false, colors: Int? = nil, cell: PixelBox? = nil, isComplete: Bool = true
    ) -> TerminalAnswers {
        var answers = TerminalAnswers()
        (answers.kitty, answers.sixel, answers.colors, answers.cell) = (kitty, sixel, colors, cell)
        answers.isComplete = isComplete
        return answers
    }

    private static let known: [(String, TerminalAnswers)] = [
        (kitty, answers(kitty: true, cell: PixelBox(width: 9, height: 18))),
        (xterm, answers(sixel: true, colors: 1_024)),
        ("\u{1B}[?62;c", answers()),
        // An error of kitty's protocol, an answer to another question, and one that is cut off.
        ("\u{1B}_Gi=31;ENOENT\u{1B}\\\u{1B}[?62;c", answers()),
        ("\u{1B}_Gi=32;OK\u{1B}\\\u{1B}[?62;c", answers()),
        ("\u{1B}_Gi=31;OK\u{1B}[?62;c", answers()),
        // Other attributes than sixels, and the level of the terminal.
        ("\u{1B}[?64;14;44c", answers()), ("\u{1B}[?4c", answers()),
        // DA2 does not answer DA1.
        ("\u{1B}[>4;4c", answers(isComplete: false)),
        // Keys among the answers: letters, an arrow, Alt-x.
        (
            "ab\u{1B}[A\(kitty.dropLast(7))\u{1B}x\u{1B}[?62;c",
            answers(kitty: true, cell: PixelBox(width: 9, height: 18))
        ),
        // Impossible sizes, and numbers that are none.
        ("\u{1B}[6;0;9t\u{1B}[6;18;257t\u{1B}[6;-1;9t\u{1B}[6;99999999999999999999;9t\u{1B}[?62c", answers()),
        ("\u{1B}[6;18;9;1t\u{1B}[4;18;9t\u{1B}[6t\u{1B}[;;t\u{1B}[?62c", answers()),
        ("\u{1B}[?1;0;1S\u{1B}[?1;3;16S\u{1B}[?2;0;16S\u{1B}[?1;0;70000S\u{1B}[?62c", answers()),
        ("", answers(isComplete: false)), ("\u{1B}", answers(isComplete: false)),
        (String(repeating: "\u{1B}", count: 100), answers(isComplete: false)),
        ("\u{1B}[\u{1B}[?62;4c", answers(sixel: true)),
    ]

    @Test(arguments: known) func answersAreUnderstood(text: String, expected: TerminalAnswers) {
        #expect(TerminalAnswers(Array(text.utf8)) == expected)
    }

    /// A terminal's answers come in pieces of any length.
    @Test(arguments: [kitty, xterm]) func onlyTheLastByteCompletesTheAnswers(text: String) {
        let bytes = Array(text.utf8)
        for count in bytes.indices { #expect(!TerminalAnswers(Array(bytes[..<count])).isComplete) }
        #expect(TerminalAnswers(bytes).isComplete)
    }

    @Test func anyBytesAreParsed() {
        var generator = Seeded(state: 7)
        let bytes = Array("\u{1B}[]_G\\?;:0123456789ctS \u{7F}".utf8) + [0, 0x9B, 0xFF]
        for _ in 0..<2_000 {
            let text = (0..<64).map { _ in bytes[Int.random(in: bytes.indices, using: &generator)] }
            let answers = TerminalAnswers(text)
            #expect(answers.cell.map { (1...256).contains($0.width) && (1...256).contains($0.height) } ?? true)
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    // MARK: - Sizes

    private func terminal(_ answers: TerminalAnswers, rows: UInt16 = 40, columns: UInt16 = 100, pixels: UInt16 = 0)
        -> PictureTerminal?
    {
        let size = winsize(
            ws_row: rows, ws_col: columns, ws_xpixel: columns * pixels, ws_ypixel: rows * pixels * 2)
        return PictureTerminal(answers, size)
    }

    @Test func thePictureFitsTheTerminal() throws {
        let cell = PixelBox(width: 9, height: 19)
        let kitty = try #require(terminal(Self.answers(kitty: true, sixel: true, cell: cell)))
        #expect(kitty.graphics == .kitty && kitty.cell == cell)
        #expect(kitty.box == PixelBox(width: 88 * 9, height: 12 * 19))
        // Whole sixels: 228 pixels are 38 of them.
        let sixel = try #require(terminal(Self.answers(sixel: true, colors: 16, cell: cell), rows: 9))
        #expect(sixel.graphics == .sixel(colors: 16) && sixel.box.height == 7 * 19 / 6 * 6)
        let many = terminal(Self.answers(sixel: true, colors: 1_024), pixels: 10)
        #expect(many?.graphics == .sixel(colors: 256) && many?.cell == PixelBox(width: 10, height: 20))
        #expect(terminal(Self.answers(sixel: true), pixels: 10)?.graphics == .sixel(colors: 256))
    }

    @Test func aTerminalWithoutRoomOrCellsShowsNone() {
        #expect(terminal(Self.answers(), pixels: 10) == nil)
        #expect(terminal(Self.answers(kitty: true)) == nil, "the size of a cell is unknown")
        #expect(terminal(Self.answers(kitty: true), rows: 5, pixels: 10) == nil)
        #expect(terminal(Self.answers(kitty: true), columns: 15, pixels: 10) == nil)
        #expect(terminal(Self.answers(kitty: true), rows: 0, columns: 0, pixels: 10) == nil)
    }

    // MARK: - The dialog

    /// Asks a terminal that answers with a text.
    private func ask(_ answer: String, _ inquiry: TerminalInquiry = TerminalInquiry(patience: .seconds(3_600)))
        async throws -> TerminalAnswers
    {
        let terminal = try PseudoTerminal()
        let modes = try terminal.modes
        async let answered: Void = BlockingCall.run {
            try terminal.read(until: TerminalAnswers.question)
            try terminal.type(answer)
        }
        let program = try terminal.open()
        defer { try? program.close() }
        let answers = try await BlockingCall.run { try inquiry.ask(program) }
        try await answered
        #expect(try terminal.modes == modes)
        return answers
    }

    @Test(arguments: [kitty, xterm, "\u{1B}[?62;c"]) func theTerminalAnswers(text: String) async throws {
        #expect(try await ask(text) == TerminalAnswers(Array(text.utf8)))
    }

    @Test func aSilentTerminalCostsAMoment() async throws {
        let begin = ContinuousClock.now
        #expect(try await ask("", TerminalInquiry(patience: .milliseconds(200))) == TerminalAnswers())
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
    }

    /// A silent terminal that answered a part says nothing either. On a busy machine even the part may be late, so each
    /// round doubles the patience.
    @Test func aHalfAnswerIsNotWaitedForLonger() async throws {
        var patience = Duration.milliseconds(200)
        var answers = TerminalAnswers()
        while answers == TerminalAnswers(), patience < .seconds(60) {
            answers = try await ask("\u{1B}_Gi=31;OK\u{1B}\\", TerminalInquiry(patience: patience))
            patience *= 2
        }
        #expect(answers == Self.answers(kitty: true, isComplete: false))
    }

    @Test(arguments: ["x", "\u{1B}[?1;", "\u{1B}_G"]) func anEndlessAnswerIsCutOff(piece: String) async throws {
        let answer = String(repeating: piece, count: 40)
        let inquiry = TerminalInquiry(patience: .seconds(3_600), limit: answer.utf8.count / 2)
        #expect(try await ask(answer, inquiry) == Self.answers(isComplete: false))
    }

    @Test func aCancelledInquiryRestoresTheModes() async throws {
        let terminal = try PseudoTerminal()
        let modes = try terminal.modes
        let program = try terminal.open()
        defer { try? program.close() }
        let task = Task { try await BlockingCall.run { try TerminalInquiry(patience: .seconds(3_600)).ask(program) } }
        _ = try await BlockingCall.run { try terminal.read(until: TerminalAnswers.question) }
        #expect(try terminal.modes != modes)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try terminal.modes == modes)
    }

    @Test func whatWasTypedBeforeIsKept() throws {
        let terminal = try PseudoTerminal()
        let program = try terminal.open()
        defer { try? program.close() }
        let modes = try terminal.modes
        try terminal.type("half a li")
        // The echo shows that the terminal has taken the keys.
        #expect(try terminal.read(until: "li") == "half a li")
        #expect(try TerminalInquiry().ask(program) == TerminalAnswers())
        #expect(try terminal.modes == modes)
        try terminal.type("ne\n")
        var buffer = [UInt8](repeating: 0, count: 100)
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            line += buffer[..<(try buffer.withUnsafeMutableBytes { try program.read(into: $0) })]
        }
        #expect(String(decoding: line, as: UTF8.self) == "half a line\n")
    }

    @Test func aFileIsNoTerminal() throws {
        let file = try FileDescriptor.open("/dev/null", .readWrite)
        defer { try? file.close() }
        #expect(throws: Errno.self) { try TerminalInquiry().ask(file) }
    }
}
