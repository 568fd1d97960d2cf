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

    @Test func allNamesOfAForgottenPackageHaveALine() {
        let package = PackageName(id: "4f3a", name: "a-letter-to-my-aunt.txt", alsoNamed: ["copy.txt", "n.txt"])
        let names = { text(Forget.named(package, after: "forgot  ", columns: $0)) }
        #expect(names(nil) == ["forgot  a-letter-to-my-aunt.txt  also named copy.txt, n.txt"])
        #expect(names(60) == names(nil))
        #expect(names(40) == ["forgot  a-letter-to-my-aunt.txt", "  also named copy.txt, n.txt"])
        #expect(names(24) == ["forgot  a-letter-t…t.txt", "  also named copy.txt, …"])
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

    /// The extension is whole, unless it would leave no room for the beginning.
    @Test(arguments: [
        ("notes of the day.markdown", 15, "notes….markdown"), ("five photos.share", 12, "five ….share"),
        ("a.very-long-extension", 12, "a.very-…sion"), ("no extension at all", 12, "no exte… all"),
        ("é\u{301}é\u{301}é\u{301}é\u{301}.txt", 7, "é\u{301}é\u{301}….txt"),
    ])
    func aNameKeepsItsExtension(_ name: String, _ columns: Int, _ shown: String) {
        #expect(DisplayWidth.fitMiddle(name, columns: columns) == shown)
        #expect(DisplayWidth.of(shown) <= columns)
    }

    /// Wide characters take two columns, and so do symbols that a selector makes emoji.
    @Test(arguments: [
        ("日本", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1), ("Ａ", 2), ("⭐✅⚡✨", 8), ("🟠🪐", 4),
        ("☎", 1), ("☎\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("🏳\u{FE0F}", 2), ("e\u{301}", 1), ("é", 1),
        ("a\u{FE0F}", 1), ("…", 1),
    ])
    func wideCharactersCountTwice(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    /// No emoji is cut in two: the beginning of one would be another one.
    @Test func anEmojiIsWholeOrGone() {
        let family = "👨\u{200D}👩\u{200D}👧"
        for columns in 5..<30 {
            let shown = DisplayWidth.fitMiddle(String(repeating: family, count: 5) + ".txt", columns: columns)
            #expect(shown.allSatisfy { $0 == "…" || ".txt".contains($0) || String($0) == family }, "\(shown)")
            #expect(DisplayWidth.of(shown) <= columns)
        }
    }

    @Test(arguments: [
        ("a/b/report.pdf", 14, "a/b/report.pdf"), ("a/b/report.pdf", 13, "…/report.pdf"),
        ("ab/b/report.pdf", 14, "…/b/report.pdf"), ("ab/b/report.pdf", 12, "…/report.pdf"),
        ("a/b/report.pdf", 11, "…/repo….pdf"), ("report of may.pdf", 12, "report ….pdf"), ("a/b/report.pdf", 4, "rep…"),
        ("/日本語/日本語.png", 12, "…/日本語.png"), ("a/b/c/", 5, "…/c/"), ("a/b/c/", 2, "…/"),
        ("/a/\u{301}b/c.pdf", 9, "…/\u{301}b/c.pdf"), ("a//b", 3, "…/b"), ("/report.pdf", 10, "…/rep….pdf"),
    ])
    func aPathLosesItsFoldersFirst(_ path: String, _ columns: Int, _ shown: String) {
        #expect(DisplayWidth.fitPath(path, columns: columns) == shown)
        #expect(DisplayWidth.of(shown) <= columns)
    }

    /// With a square of the folders, this would take minutes.
    @Test func aPathOfManyFoldersIsCut() {
        let path = String(repeating: "a/", count: 32 << 10) + "é.pdf"
        #expect(DisplayWidth.fitPath(path, columns: 12) == "…/a/a/é.pdf")
        #expect(DisplayWidth.fitPath(path, columns: 6) == "é.pdf")
    }

    @Test(arguments: [40, 60, 75, 80, 120])
    func aListFitsTheTerminal(columns: Int) {
        for name in ["a.pdf", String(repeating: "日本語", count: 30), String(repeating: "long name ", count: 30)] {
            let entry = PackageEntry(
                id: String(repeating: "4f", count: 16), outcome: .accepted,
                source: Receipt.Source(kind: .file, path: FilePath("in/\(name)")), received: "2026-05-04T10:11:12Z",
                bytes: 42_000_000, title: nil, supersededBy: nil, reason: nil)
            let lines = PackageEntryText(entry: entry, columns: columns).lines.flatMap { $0.wrapped(to: columns) }
            #expect(lines.count == 1 && lines[0].width <= columns, "\(text(lines))")
        }
    }

    /// A reason that does not fit is below its package, from its first word on.
    @Test(arguments: [40, 80])
    func aReasonIsBelowItsPackage(columns: Int) {
        let entry = PackageEntry(
            id: String(repeating: "4f", count: 16), outcome: .partial,
            source: Receipt.Source(kind: .share, path: "in/five photos.share"), received: "2026-05-04T10:11:12Z",
            bytes: 42_000_000, reason: "1 of 5 attachments could not be used; replace them and run again")
        let lines = PackageEntryText(entry: entry, columns: columns).lines.flatMap { $0.wrapped(to: columns) }
        #expect(lines.allSatisfy { $0.width <= columns })
        #expect(text(lines)[1].hasPrefix("  1 of 5 attachments"), "\(text(lines))")
        #expect(PackageEntryText(entry: entry).lines.count == 1)
    }
}
