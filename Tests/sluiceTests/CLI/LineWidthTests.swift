import ShareModel
import SystemPackage
import Testing

@testable import sluice

/// Lines for a terminal of a given width.
@Suite struct LineWidthTests {
    private func text(_ lines: [StyledLine]) -> [String] { lines.map { $0.rendered(color: false) } }

    @Test func withoutATerminalALineStaysWhole() {
        let line = StyledLine(String(repeating: "word ", count: 100), .plain)
        #expect(line.wrapped(to: nil) == [line])
        #expect(line.fitted(to: nil) == line)
    }

    @Test func aLineIsBrokenAtSpaces() {
        let line: StyledLine = "    \("!", .warning) declared public.png, but the bytes are \("image/jpeg", .strong)"
        #expect(line.wrapped(to: 80) == [line])
        #expect(
            text(line.wrapped(to: 30)) == [
                "    ! declared public.png, but", "      the bytes are image/jpeg",
            ])
        #expect(line.wrapped(to: 30).last?.rendered(color: true).hasSuffix("\u{1B}[1mimage/jpeg\u{1B}[0m") == true)
    }

    @Test func theBranchesOfATreeGoOn() {
        let tree = Tree("root", [Tree("a", [Tree("first words of it, and more"), Tree("last words of it, and more")])])
        #expect(
            text(tree.lines.flatMap { $0.wrapped(to: 26) }) == [
                "root", "└─ a", "   ├─ first words of it,", "   │    and more", "   └─ last words of it,",
                "        and more",
            ])
    }

    @Test func aCommandIsNotBroken() {
        let line: StyledLine = "✗ failed — again: \(command: "sluice deliver --retry 4f3a12b0c9d1")"
        #expect(text(line.wrapped(to: 30)) == ["✗ failed — again:", "  sluice deliver --retry 4f3a12b0c9d1"])
        let quoted: StyledLine = "there is no container; `sluice ingest --container x` makes one"
        #expect(
            text(quoted.wrapped(to: 30)) == [
                "there is no container;", "  `sluice ingest --container x`", "  makes one",
            ])
        let alone: StyledLine = "    sluice sinks test ./word-count"
        #expect(alone.wrapped(to: 20) == [alone])
    }

    @Test func aLongWordStaysWhole() {
        let path = "/home/ada/" + String(repeating: "long", count: 20)
        #expect(text((StyledLine("in ", .plain) + StyledLine(path, .plain)).wrapped(to: 40)) == ["in", "  " + path])
    }

    @Test func aCutLineEndsInAnEllipsis() {
        let line: StyledLine = "one \("two", .strong) three"
        #expect(
            text([line.fitted(to: 13), line.fitted(to: 12), line.fitted(to: 8)]) == [
                "one two three", "one two thr…", "one two…",
            ])
        #expect(text([line.fitted(to: 7), line.fitted(to: 1), line.fitted(to: 0)]) == ["one tw…", "…", ""])
    }

    @Test func aNameIsCutInItsMiddle() {
        #expect(DisplayWidth.fitMiddle("IMG_20260504_101112.jpg", columns: 23) == "IMG_20260504_101112.jpg")
        #expect(DisplayWidth.fitMiddle("IMG_20260504_101112.jpg", columns: 16) == "IMG_202605…2.jpg")
        #expect(DisplayWidth.fitMiddle("日本語日本語日本語.png", columns: 12) == "日本語….png")
        #expect(DisplayWidth.fitMiddle("abcdefgh", columns: 3) == "ab…")
    }

    @Test(arguments: [40, 60, 75, 80, 120])
    func aListFitsTheTerminal(columns: Int) {
        for name in ["a.pdf", String(repeating: "日本語", count: 30), String(repeating: "long name ", count: 30)] {
            let entry = PackageEntry(
                id: String(repeating: "4f", count: 16), outcome: .accepted,
                source: Receipt.Source(kind: .file, path: FilePath("in/\(name)")), received: "2026-05-04T10:11:12Z",
                bytes: 42_000_000, title: nil, supersededBy: nil, reason: nil)
            let lines = PackageEntryText(entry: entry, columns: columns).line.wrapped(to: columns)
            #expect(lines.count == 1 && lines[0].width <= columns, "\(text(lines))")
        }
    }
}
