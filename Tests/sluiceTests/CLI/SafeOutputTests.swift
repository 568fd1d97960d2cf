import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import sluice

@Suite struct SafeOutputTests {
    @Test(arguments: [
        ("plain äöü 漢字 👩‍👩‍👧", "plain äöü 漢字 👩‍👩‍👧"), ("a\u{1B}[31mb", #"a\u{1B}[31mb"#), ("a\r\nb\tc", #"a\r\nb\tc"#),
        ("\u{9B}2J", #"\u{9B}2J"#), ("x\u{202E}y\u{2066}z", #"x\u{202E}y\u{2066}z"#), ("\u{2028}", #"\u{2028}"#),
        ("\u{FEFF}\u{200B}", #"\u{FEFF}\u{200B}"#), ("\u{7F}", #"\u{7F}"#),
    ])
    func untrustedTextIsEscaped(text: String, shown: String) {
        #expect(SafeText.escape(text) == shown)
        let line: StyledLine = "[\(text)]"
        #expect(line.rendered(color: true) == "[\(shown)]")
    }

    /// A title comes from a person or from the sender. Neither controls the terminal.
    @Test(arguments: [false, true]) func aHostileTitleOfAPipeIsEscaped(isDescription: Bool) throws {
        let folder = try TestFolder()
        let program = Program(container: folder["c"])
        let title = "a\u{1B}[2J\u{202E}\r\nb"
        let description = #"{"version":1,"items":[{"title":"a\u001B[2J\u202E\r\nb","text":"words"}]}"#
        let arguments = isDescription ? ["-"] : ["--title", title, "-", "--name", "n.txt"]
        let input = isDescription ? description : "words"
        let ingested = try program.run(["ingest", "--no-deliver"] + arguments, input: input)
        #expect(ingested.status == 0, "\(ingested)")
        let entry = try #require(try program.run(["list", "--json"]).messages.compactMap(\.package).first)
        let shown = try [["inspect"] + arguments, ["list"], ["show", entry.id], ["search", "2j"]].map {
            try program.run($0, input: input)
        }
        for end in [ingested] + shown {
            #expect(end.status == 0 && end.output.contains(#"a\u{1B}[2J\u{202E}\r\nb"#), "\(end)")
            #expect(!(end.output + end.errors).unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\r"].contains($0) })
        }
    }

    @Test func longNamesAreCut() {
        let name = String(repeating: "x", count: 10_000)
        let shown = String(repeating: "x", count: SafeText.nameLimit) + "…"
        #expect(SafeText.escape(name: name) == shown)
        let line: StyledLine = "[\(name: name)]"
        #expect(line.rendered(color: false) == "[\(shown)]")
        #expect(SafeText.escape(name: name.prefix(SafeText.nameLimit)) == name.prefix(SafeText.nameLimit))
    }

    /// A message ends with its remedy.
    @Test func longMessagesKeepTheirEnds() {
        let message = String(repeating: "x", count: 10_000) + "; rename it"
        #expect(SafeText.escape(message) == message)
        let flood = SafeText.escape(String(repeating: "x", count: 1_000_000) + "; rename it")
        #expect(flood.hasPrefix("xxx") && flood.hasSuffix("xxx; rename it"))
        #expect(flood.count < SafeText.limit + 10)
    }

    @Test func colorIsOnlyForTerminals() {
        let line: StyledLine = "\("bad", .bad) word"
        #expect(line.rendered(color: true) == "\u{1B}[31mbad\u{1B}[0m word")
        #expect(line.rendered(color: false) == "bad word")
        #expect(!Terminal(isTerminal: false, kind: "xterm", noColor: false).color)
        #expect(!Terminal(isTerminal: true, kind: "dumb", noColor: false).redraws)
        #expect(!Terminal(isTerminal: true, kind: nil, noColor: false).redraws)
        #expect(!Terminal(isTerminal: true, kind: "xterm", noColor: true).color)
        #expect(Terminal(isTerminal: true, kind: "xterm", noColor: false).color)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1540, "1.5 KB"), (42_000, "42 KB"),
        (999_499, "999 KB"), (999_600, "1 MB"), (3_400_000_000, "3.4 GB"), (Int64.max, "9.2 EB"),
    ])
    func byteCountsAreReadable(count: Int64, text: String) { #expect(Units.bytes(count) == text) }

    @Test func quantitiesAreReadable() {
        #expect(Units.count(1, "delivery") == "1 delivery")
        #expect(Units.count(2, "delivery") == "2 deliveries")
        #expect(Units.count(1_234_567, "package") == "1,234,567 packages")
        #expect(Units.duration(.milliseconds(40)) == "under 0.1 s")
        #expect(Units.duration(.milliseconds(1500)) == "1.5 s")
        #expect(Units.duration(.seconds(185)) == "3 min 5 s")
        #expect(Units.duration(.seconds(7440)) == "2 h 4 min")
    }

    @Test func widthsAreThoseOfATerminal() {
        #expect(DisplayWidth.of("漢字") == 4)
        #expect(DisplayWidth.of("e\u{301}") == 1)
        #expect(DisplayWidth.fit("漢字漢字", columns: 5) == "漢字…")
        #expect(DisplayWidth.fit("short", columns: 5) == "short")
        let line: StyledLine = "漢"
        #expect(line.padded(to: 4).rendered(color: false) == "漢  ")
    }

    @Test func jsonIsOneSortedLine() throws {
        let bytes = try JSONLines.encode(["receipt": try ReceiptFixtures.accepted(name: "a/b\\nc")])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        #expect(text.contains("in/a/b"))
        #expect(text.hasPrefix(#"{"receipt":{"alternatives":[],"bytes":42000,"groups""#))
        #expect(try JSONLines.decode([String: ShareModel.Receipt].self, from: bytes)["receipt"]?.bytes == 42_000)
    }
}
