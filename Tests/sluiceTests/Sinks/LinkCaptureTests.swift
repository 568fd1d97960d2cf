import Foundation
import SinkKit
import Testing

@Suite(.timeLimit(.minutes(60))) struct LinkCaptureTests {
    private static let webloc = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>URL</key><string>https://example.com/?a=1&amp;b=2</string></dict></plist>
        """
    /// The same as a binary property list, with the link `https://example.com/`.
    private static let binaryWebloc =
        "YnBsaXN0MDDRAQJTVVJMXxAUaHR0cHM6Ly9leGFtcGxlLmNvbS8ICw8AAAAAAAABAQAAAAAAAAADAAAAAAAAAAAAAAAAAAAAJg=="

    private func run(_ content: Data, _ type: String) throws -> SinkRun {
        try SinkRun("link-capture", [.init(content: content, type: type)])
    }

    @Test(arguments: [
        ("https://example.com/a?b=1#c\n", "text/uri-list", "https://example.com/a?b=1#c"),
        ("# a comment\r\nhttps://example.com/\r\n", "text/uri-list", "https://example.com/"),
        (webloc, "application/x-webloc", "https://example.com/?a=1&b=2"),
        (
            "[InternetShortcut]\r\nURL=https://example.com/\r\nIconIndex=0\r\n", "application/x-mswinurl",
            "https://example.com/"
        ),
        (
            "[{0}]\nurl=https://no.example\n[INTERNETSHORTCUT]\nUrl = https://yes.example/\n", "application/x-mswinurl",
            "https://yes.example/"
        ),
        (
            "[Desktop Entry]\nType=Link\nName=x\nURL=https://example.com/a\\sb\n", "application/x-desktop",
            "https://example.com/a b"
        ),
    ])
    func readsEachKindOfLinkFile(content: String, type: String, url: String) throws {
        let run = try run(Data(content.utf8), type)
        #expect(try run.metadata["url"] == .string(url))
        #expect(try run.done.products == [Product(path: "link.json", role: "link", type: "application/json")])
    }

    @Test func readsBinaryPropertyListsAndOldEncodings() throws {
        let binary = try #require(Data(base64Encoded: Self.binaryWebloc))
        #expect(try run(binary, "application/x-webloc").metadata["url"] == "https://example.com/")
        let shortcut = "[InternetShortcut]\r\nURL=https://example.com/é\r\n"
        for encoding in [String.Encoding.utf16, .isoLatin1] {
            let content = try #require(shortcut.data(using: encoding))
            #expect(try run(content, "application/x-mswinurl").metadata["url"] == "https://example.com/é")
        }
    }

    @Test(arguments: [
        ("HTTPS://Example.COM:443", "https://example.com/"),
        ("http://example.com:80/a/./b/../c//d/..", "http://example.com/a/c//"),
        ("http://example.com:8080/../..", "http://example.com:8080/"),
        ("https://example.com/?utm_source=x&q=1&UTM_medium=y&fbclid=z&a=2", "https://example.com/?q=1&a=2"),
        ("https://example.com/?gclid=1#part", "https://example.com/#part"),
        ("https://example.com/?b=2&a=1&", "https://example.com/?b=2&a=1&"),
        ("https://Bücher.example/ü?ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
        ("MailTo:Somebody@Example.com", "mailto:Somebody@Example.com"),
    ])
    func normalizes(link: String, normalized: String) throws {
        let run = try run(Data(link.utf8), "text/uri-list")
        #expect(try run.metadata["normalized"] == .string(normalized))
        #expect(try run.metadata["url"] == .string(link), "the original is kept")
    }

    @Test(arguments: [
        ("javascript:alert(1)", "text/uri-list"), ("JavaScript:alert(1)", "text/uri-list"),
        ("data:text/html,x", "text/uri-list"), ("file:///etc/passwd", "text/uri-list"), ("", "text/uri-list"),
        ("# nothing\n", "text/uri-list"), ("no link", "text/uri-list"), ("http://", "text/uri-list"),
        ("http:///path", "text/uri-list"), ("http://a\u{0}.example/", "text/uri-list"),
        ("http://example.com/" + String(repeating: "a", count: 8 << 10), "text/uri-list"),
        (String(repeating: "http://example.com/\n", count: 101), "text/uri-list"),
        (String(repeating: "x", count: 300 << 10), "application/x-mswinurl"),
        ("[InternetShortcut]\n", "application/x-mswinurl"),
        ("[Desktop Entry]\nType=Application\nExec=x\nURL=https://example.com/\n", "application/x-desktop"),
        ("[Desktop Entry]\nType=Link\n", "application/x-desktop"), ("<plist>", "application/x-webloc"),
        ("<plist version=\"1.0\">" + String(repeating: "<dict><key>URL</key>", count: 10_000), "application/x-webloc"),
        (String(repeating: "(", count: 100_000), "application/x-webloc"),
    ])
    func declinesWithAReason(content: String, type: String) throws {
        let run = try run(Data(content.utf8), type)
        #expect(run.status == 0)
        #expect(try run.done.status == .declined)
        #expect(try run.done.why?.isEmpty == false)
    }

    @Test func theGoodLinksOfSeveralAreCaptured() throws {
        let links = "https://a.example/\r\njavascript:x\r\nhttps://b.example/\r\n"
        let run = try run(Data(links.utf8), "text/uri-list")
        #expect(try run.metadata["links"] == 2 && run.metadata["refused"] == 1)
        #expect(try run.done.products?.map(\.path) == ["link.json", "link-2.json"])
    }

    @Test func theRecordHoldsTheLinksContext() throws {
        let input = SinkRun.Input(
            content: Data("https://example.com\n".utf8), type: "text/uri-list", title: "A page", text: "from the item",
            others: [(.caption, "text/plain", Data(" look at this \n".utf8)), (.preview, "image/png", Data([1]))])
        let run = try SinkRun("link-capture", [input])
        let expected: [String: JSONValue] = [
            "url": "https://example.com", "normalized": "https://example.com/", "host": "example.com",
            "title": "A page", "caption": "look at this", "icon": .string(String(repeating: "2", count: 64)),
        ]
        #expect(try run.metadata == expected)
        #expect(try JSONDecoder().decode([String: JSONValue].self, from: run.product("link")) == expected)
    }

    @Test func theItemsTextReplacesAMissingCaption() throws {
        let input = SinkRun.Input(
            content: Data("https://example.com".utf8), type: "text/uri-list", text: "from the item")
        #expect(try SinkRun("link-capture", [input]).metadata["caption"] == "from the item")
    }
}
