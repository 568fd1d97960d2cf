import ShareModel
import SystemPackage
import Testing

@testable import Ingestion

@Suite struct TextTests {
    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("/etc/passwd", "passwd"), (#"C:\temp\photo.jpg"#, "photo.jpg"), ("a/b/", "b"),
        ("..", "untitled"), ("...", "untitled"), (". .", "untitled"), ("", "untitled"), ("/", "untitled"),
        (".hidden", "hidden"), ("trailing. .", "trailing"), ("two\nlines\u{0}.txt", "twolines.txt"),
        // U+202E reverses the direction of the text after it: "annexe.fdp" is shown as "annpdf.exe".
        ("ann\u{202E}fdp.exe", "annfdp.exe"), ("\u{2066}a\u{2069}", "a"), ("a\u{2028}b", "ab"), ("a\u{E000}b", "ab"),
        // A slash and the scalar after it are one `Character`. U+E0020 is removed, U+0301 and U+200D are not.
        ("x/\u{E0020}../\u{E0020}../y", "y"), ("x/\u{301}../\u{301}../y", "y"), ("a/\u{200D}b", "\u{200D}b"),
        (".\u{200D}x", "\u{200D}x"), ("a" + String(repeating: "\u{301}", count: 300) + ".jpg", "untitled.jpg"),
        ("family 👨‍👩‍👧.png", "family 👨‍👩‍👧.png"), ("می‌خواهم.txt", "می‌خواهم.txt"), ("Übung.txt", "Übung.txt"),
    ])
    func namesAreMadeSafe(_ suggested: String, _ safe: String) {
        #expect(SafeName.make(suggested) == safe)
        #expect(SafeName.make(safe) == safe, "safe stays as it is")
        #expect(FilePath.Component(SafeName.make(suggested)) != nil)
    }

    @Test func noNameIsUntitled() { #expect(SafeName.make(nil) == "untitled") }

    @Test(arguments: [
        (String(repeating: "n", count: 300) + ".jpeg", ".jpeg"), (String(repeating: "é", count: 300) + ".txt", ".txt"),
        (String(repeating: "👨‍👩‍👧", count: 40), "👨‍👩‍👧"), ("a." + String(repeating: "x", count: 300), "x"),
    ])
    func longNamesKeepTheirEnding(_ suggested: String, _ ending: String) {
        let name = SafeName.make(suggested)
        #expect(name.utf8.count <= 255)
        #expect(name.utf8.count > 200)
        #expect(name.hasSuffix(ending))
        #expect(suggested.hasPrefix(name.dropLast(ending.count)))
    }

    @Test(arguments: [
        ("https://example.org/a?b#c", true), ("http://x", true), ("HTTPS://EXAMPLE.ORG", true),
        ("https://example.org and more", false), ("https://", false), ("https:///path", false), ("https://?q", false),
        ("https:example.org", false), ("ftp://example.org", false), ("example.org", false), ("", false), (":", false),
        ("https://example.org/\n", false), ("https://x/" + String(repeating: "a", count: 1 << 14), false),
    ])
    func webURLsAreNothingElse(_ text: String, _ isOne: Bool) { #expect(text.isWebURL == isOne) }

    @Test(arguments: [
        ("file:///a", true), ("FILE:///a", true), ("file:a", true), ("file:", false), ("file:///a\nb", false),
        (" file:///a", false), ("https://a", false),
    ])
    func fileURLsAreKnown(_ text: String, _ isOne: Bool) { #expect(text.isFileURL == isOne) }

    @Test(arguments: [
        ("mailto:a@b", true), ("x-app+1.0://y", true), ("1x:y", false), ("x y:z", false), ("é:z", false),
        ("none", false),
        ("tel:1 2", false),
    ])
    func schemesAreKnown(_ text: String, _ isOne: Bool) { #expect(text.hasScheme == isOne) }

    @Test(arguments: [(" \n\0a b\0 \t", "a b"), ("", ""), (" \0", ""), ("a", "a")])
    func edgesAreTrimmed(_ text: String, _ trimmed: String) { #expect(text.trimmed == trimmed) }

    @Test(arguments: [
        ("short", 5, "short"), ("shorter", 5, "short"), ("näher", 2, "n"), ("näher", 3, "nä"), ("👨‍👩‍👧x", 10, ""),
        ("x👨‍👩‍👧", 18, "x"), ("", 0, ""), ("a", 0, ""),
    ])
    func longTextIsCutAtACharacter(_ text: String, _ limit: Int, _ cut: String) {
        #expect(text.cut(toBytes: limit) == cut)
    }

    @Test(arguments: ["a\u{301}", "👨‍👩‍👧", "e" + String(repeating: "\u{301}", count: 62), "é", "x", "\r\n", "🇩🇪"])
    func charactersStayWholeWhereverTheLimitLies(_ character: String) {
        let text = String(repeating: character, count: 40)
        for limit in 0..<text.utf8.count {
            #expect(text.cut(toBytes: limit).utf8.count == limit / character.utf8.count * character.utf8.count)
        }
    }

    /// A hostile text is one character without end. The work for its cut must not grow with the square of its length.
    @Test(arguments: [0, 1, 7]) func aCharacterWithoutEndIsCut(_ before: Int) {
        let beginning = String(repeating: "x", count: before)
        let text = beginning + "a" + String(repeating: "\u{301}", count: 1 << 20)
        #expect(text.cut(toBytes: 1 << 20) == beginning)
    }
}
