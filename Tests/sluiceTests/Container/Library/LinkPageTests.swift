import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// A link is a page that opens it.
@Suite struct LinkPageTests {
    /// Contents of the type `text/uri-list`, and the address that each one is.
    static let lists: [(String, String?)] = [
        ("https://example.org/rivers", "https://example.org/rivers"),
        ("# a comment\r\n  HTTP://example.org/?a=1&b=<2>#'c'\r\n\r\n", "HTTP://example.org/?a=1&b=<2>#'c'"),
        ("https://пример.рф/река", "https://пример.рф/река"),
        ("https://a.example/1\nhttps://a.example/2", nil),
        ("javascript:alert(1)", nil), ("data:text/html,hi", nil), ("file:///etc/passwd", nil), ("mailto:a@b", nil),
        ("https:example.org", nil), ("https:///path", nil), ("https://", nil), ("https:/\u{301}/example.org", nil),
        ("https://example.org/a b", nil), ("https://example.org/\u{202E}gpj", nil), ("https://example.org/\u{7}", nil),
        ("", nil), ("#https://example.org", nil), ("https://" + String(repeating: "a", count: 8 << 10), nil),
    ]

    @Test(arguments: lists) func onlyOneAddressOfTheWebIsAPage(_ list: String, _ address: String?) {
        #expect(LinkPage(uriList: Array(list.utf8))?.address == address)
    }

    @Test func bytesThatAreNoTextAreNoPage() {
        #expect(LinkPage(uriList: Array("https://example.org/".utf8) + [0xFF]) == nil)
    }

    @Test(arguments: [
        "\"><script>alert(1)</script>", "\"\u{301}onload=x", "'\u{301}", "&quot;", "%22;url=https://evil",
    ])
    func noAddressEndsItsPlace(_ text: String) throws {
        let page = try #require(LinkPage(uriList: Array("https://example.org/\(text)".utf8)))
        let plain = try #require(LinkPage(uriList: Array("https://example.org/".utf8)))
        let marks = { (page: LinkPage) in page.bytes.filter("<>\"'".utf8.contains) }
        #expect(marks(page) == marks(plain))
        let html = String(decoding: page.bytes, as: UTF8.self)
        #expect(html.contains("&amp;quot;") == (text == "&quot;"))
    }

    @Test func theLongestAddressHasAPage() throws {
        let long = "https://a/" + String(repeating: "'", count: LinkPage.contentLimit - 10)
        let page = try #require(LinkPage(uriList: Array(long.utf8)))
        #expect(page.bytes.count <= LinkPage.sizeLimit && LinkPage.isIntact(page.bytes))
    }

    @Test func aChangedPageIsNotOurs() throws {
        let page = try #require(LinkPage(uriList: Array("https://example.org/".utf8))).bytes
        #expect(LinkPage.isIntact(page))
        for place in page.indices {
            var changed = page
            changed[place] ^= 1
            #expect(!LinkPage.isIntact(changed), "byte \(place)")
        }
        #expect(!LinkPage.isIntact(page + [0x0A]) && !LinkPage.isIntact(Array(page.dropLast())))
        #expect(!LinkPage.isIntact([]) && !LinkPage.isIntact(Array(page.suffix(100))))
    }
}

/// The pages of links in the folder.
@Suite struct LibraryLinkTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    @discardableResult
    private func update(rebuilding: Bool = false) throws -> LibraryReport {
        try Librarian.update(folder["container"], rebuilding: rebuilding) { name, _ in name.contains(".") }
    }

    private var library: FilePath { folder["container/library"] }
    private var files: [String] { Disk.files(below: library).map { String($0.dropFirst("links/2026/".count)) } }
    private func path(_ name: String) -> FilePath { library.appending("links/2026/\(name)") }

    private func takeIn(_ id: String, _ list: String, title: String? = nil, path: FilePath? = nil) throws {
        var proposal = PackageProposal.accepted(id, [list], path: path ?? FilePath("/in/\(id)"))
        proposal.receipt.providers[0].name = "link"
        proposal.receipt.providers[0].type = .uriList
        proposal.receipt.item = .init(index: 0, title: title, text: nil, rule: "", why: "")
        proposal.received = "2026-06-01T12:00:00Z"
        try LibraryScene.takeIn(container, proposal, [list])
    }

    @Test func aLinkIsAPageOfItsArrival() throws {
        try takeIn("a1", "https://example.org/rivers/elbe/\n", title: "Rivers: the Elbe")
        try takeIn("a2", "https://example.org/rivers/elbe/")
        try takeIn("a3", "https://example.org/1\nhttps://example.org/2\n")
        #expect(try update().added == 3)
        #expect(files == ["Rivers: the Elbe.html", "example.org-rivers-elbe.html", "link"])
        let page = try Disk.bytes(path("example.org-rivers-elbe.html"))
        #expect(LinkPage.isIntact(page))
        #expect(String(decoding: page, as: UTF8.self).contains(#"0; url=https://example.org/rivers/elbe/""#))
        let stamp = try Array(Disk.stamp(path("Rivers: the Elbe.html"))[2...3])
        #expect(stamp == [1_780_315_200, 0])
        #expect(try update() == LibraryReport())
        let before = files
        #expect(try update(rebuilding: true).kept == [])
        #expect(files == before)
    }

    @Test func aReplacedLinkLosesItsPage() throws {
        try takeIn("a1", "https://example.org/1", path: "/in/link")
        try update()
        try takeIn("a2", "https://example.org/2", path: "/in/link")
        let report = try update()
        #expect(report.added == 1 && report.removed == 1 && report.kept == [])
        #expect(files == ["example.org-2.html"])
    }

    /// A person may give a page another address. Then it is the person's.
    @Test func aChangedPageStays() throws {
        try takeIn("a1", "https://example.org/1", path: "/in/link")
        try update()
        let page = path("example.org-1.html")
        let text = String(decoding: try Disk.bytes(page), as: UTF8.self).replacing(
            "example.org/1", with: "example.org/7")
        try FileManager.default.removeItem(atPath: page.string)
        try Data(text.utf8).write(to: URL(filePath: page.string))
        try takeIn("a2", "https://example.org/2", path: "/in/link")
        #expect(try update().kept == ["links/2026/example.org-1.html"])
        #expect(files == ["example.org-1.html", "example.org-2.html"])
        #expect(try Disk.bytes(page) == Array(text.utf8))
    }

    @Test func aForgottenLinkHasNoPage() throws {
        try takeIn("a1", "https://example.org/1")
        try takeIn("a2", "https://example.org/2")
        try update()
        let forgotten = try ContainerMaintenance(opening: folder["container"]).forget(["a1"])
        #expect(forgotten.warnings == [])
        #expect(files == ["example.org-2.html"])
        #expect(try update() == LibraryReport())
    }

    /// Its object may return, and then the page does.
    @Test func aLinkWithoutItsObjectIsMissing() throws {
        try takeIn("a1", "https://example.org/1")
        try FileManager.default.removeItem(
            atPath: container.layout.object(Digest(of: "https://example.org/1")).string)
        #expect(try update().missing.map(\.id) == ["a1"])
        #expect(files == [])
    }
}
