import Formats
import Foundation
import ShareModel
import Sniffing
import Testing

@Suite("Identification")
struct MagicSnifferTests {
    static func identify(_ bytes: [UInt8], _ claims: TypeClaims = TypeClaims()) throws -> Identification {
        try MagicSniffer().identify(ContentBytes(bytes), claims: claims)
    }

    static func identify(_ text: String, _ claims: TypeClaims = TypeClaims()) throws -> Identification {
        try identify(Array(text.utf8), claims)
    }

    /// Without an image, but with an end.
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9]

    @Test(arguments: [
        ("", "application/x-empty"),
        ("hello, world\n", "text/plain"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\"/>", "image/svg+xml"),
        ("<!-- drawn by hand --><svg width=\"1\" height=\"1\"></svg>", "image/svg+xml"),
        ("\u{FEFF}<?xml version=\"1.0\"?><s:svg xmlns:s=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("<!DOCTYPE svg [<!ENTITY a \"b>\">]><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "application/xhtml+xml"),
        ("<!DOCTYPE html><html><body>Not found</body></html>", "text/html"),
        ("[InternetShortcut]\r\nURL=https://example.org/\r\n", "application/x-mswinurl"),
        ("[DEFAULT]\r\nBASEURL=a\r\n[InternetShortcut]\r\nURL=https://example.org/\r\n", "application/x-mswinurl"),
        ("# a comment\n\n[Desktop Entry]\nVersion=1.0\nType=Link\nURL=https://example.org\n", "application/x-desktop"),
        ("see [Desktop Entry]\nType=Link\n", "text/plain"),
        ("<plist><dict><key>URL</key><string>https://example.org</string></dict></plist>", "application/x-webloc"),
        ("<plist><dict><key>URL</key><string>no address</string></dict></plist>", "application/x-plist"),
        ("<plist><dict><key>URL</key><integer>1</integer></dict></plist>", "application/x-plist"),
        ("<plist><dict><key>WebMainResource</key><dict/></dict></plist>", "application/x-webarchive"),
        ("junk\nmore junk\n%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n", "application/pdf"),
        (String(repeating: "junk ", count: 180) + "%PDF-1.4\nstartxref\n0\n%%EOF\n", "application/pdf"),
        (String(repeating: "junk ", count: 180) + "%PDF-1.4\nthat is how it begins\n", "text/plain"),
        (String(repeating: "junk ", count: 220) + "%PDF-1.4\nstartxref\n0\n%%EOF\n", "text/plain"),
    ])
    func knowsTexts(_ text: String, _ type: String) throws {
        let found = try Self.identify(text)
        #expect(found.type.description == type)
        #expect(found.warnings.isEmpty)
        #expect(!found.basis.isEmpty)
    }

    @Test func givesItsEvidence() throws {
        let link: [String: Any] = ["URL": "https://example.org"]
        let found = try Self.identify(PropertyListTests.bytes(link, .binary))
        #expect(found.type.description == "application/x-webloc")
        #expect(found.basis == ["property list: key URL at the top"])
        #expect(try Self.identify([0xFF, 0xD8, 0xFF, 0xE0]).basis == ["libmagic: image/jpeg"])
    }

    @Test func leavesUnknownBytesUnknown() throws {
        let noise: [UInt8] = [0x93, 0x01, 0xFE, 0x7A, 0x00, 0xC3, 0x28, 0x99, 0x00, 0x81]
        let found = try Self.identify(noise, TypeClaims(declared: "public.jpeg", name: "photo.jpg"))
        #expect(found.type == .unknown)
        #expect(found.warnings.first == "declared public.jpeg, but nothing in the bytes says so")
    }

    @Test(arguments: [
        ("notes.md", nil, "text/markdown", "name: *.md"),
        ("a.csv", nil, "text/csv", "name: *.csv"),
        ("A.CSV", nil, "text/csv", "name: *.csv"),
        ("x", "net.daringfireball.markdown", "text/markdown", "declared: net.daringfireball.markdown"),
        ("x.bin", "Text/CSV; charset=utf-8", "text/csv", "declared: text/csv;charset=utf-8"),
        ("movie.ts", nil, "text/plain", "text: ASCII"),
        ("photo.jpg", "public.jpeg", "text/plain", "text: ASCII"),
        ("page.html", "public.html", "text/plain", "text: ASCII"),
        ("link.url", nil, "text/plain", "text: ASCII"),
        ("drawing.svg", nil, "text/plain", "text: ASCII"),
        ("drawing.pdf", "public.data", "text/plain", "text: ASCII"),
    ])
    func claimsRefineText(_ name: String, _ declared: String?, _ type: String, _ basis: String) throws {
        let found = try Self.identify("just a few words, 1, 2\n", TypeClaims(declared: declared, name: name))
        #expect(found.type.description == type)
        #expect(found.basis.first == basis)
    }

    @Test func claimsOfPagesAndMailNeedEvidence() throws {
        #expect(try Self.identify("a <b>c\n", TypeClaims(name: "a.html")).type == .html)
        #expect(
            try Self.identify("X-Odd: 1\n\nhello\n", TypeClaims(name: "a.eml")).type.description == "message/rfc822")
        #expect(try Self.identify("HTTP/1.1 200 OK\nServer: x\n", TypeClaims(name: "a.eml")).type == .plainText)
    }

    /// The style sheet of a page may be longer than the part in which tags are counted.
    @Test(arguments: [("page.html", "text/html"), ("page.txt", "text/plain")])
    func aPageMayBeginWithAStyleSheet(_ name: String, _ type: String) throws {
        let sheet = String(repeating: ".page > p { margin: 0 auto }\n", count: 400)
        let found = try Self.identify(
            "<div class=\"page\"><style>\n\(sheet)</style>\n<p>words</p></div>\n", TypeClaims(name: name))
        #expect(found.type.description == type && found.warnings.isEmpty)
    }

    @Test(arguments: [("%", true), ("notes~", true), ("notes.txt", true), ("report.pdf", false)])
    func anEmptyFileContradictsWhatPromisesContent(_ name: String, _ isQuiet: Bool) throws {
        #expect(try Self.identify("", TypeClaims(name: name)).warnings.isEmpty == isQuiet)
    }

    @Test func claimsNeverContradictTheBytes() throws {
        let zip = ZipBuilder([("a.txt", "hello")]).bytes
        let claims = TypeClaims(declared: "com.adobe.pdf", name: "paper.docx")
        let found = try Self.identify(zip, claims)
        #expect(found.type.description == "application/zip")
        #expect(
            found.warnings == [
                "declared com.adobe.pdf, but the bytes are application/zip",
                "named *.docx, but the bytes are application/zip",
            ])
    }

    @Test(arguments: [
        ("public.png", true), ("public.jpeg", false), ("image/jpg", false), ("image/pjpeg", false),
        ("public.image", false),
        ("image/*", false), ("public.movie", true), ("public.data", false), ("application/octet-stream", false),
        ("public.file-url", false), ("dyn.ah62d4rv4ge80k55g", false), (" PUBLIC.JPEG\n", false),
        ("com.adobe.pdf", true),
    ])
    func warnsOfContradictions(_ declared: String, _ disagrees: Bool) throws {
        let found = try Self.identify(Self.jpeg, TypeClaims(declared: declared))
        #expect(found.type.description == "image/jpeg")
        #expect(found.warnings == (disagrees ? ["declared \(declared), but the bytes are image/jpeg"] : []))
    }

    /// Users ignore a warning that honest files get.
    @Test(arguments: [
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "ca.crt"),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "ca.pem"),
        ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "page.html"),
        ("", "paper.pdf.gz"), ("just words\n", "settings.old"), ("<a/>", "settings.xml.bak"),
        ("<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"/>", "a.sgml"),
    ])
    func honestNamesGiveNoWarning(_ text: String, _ name: String) throws {
        let isPacked = name.hasSuffix("gz")
        let bytes = isPacked ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0] : Array(text.utf8)
        let found = try Self.identify(bytes, TypeClaims(name: name))
        #expect(found.warnings == [])
    }

    @Test func theEvidenceOfANameIsItsPattern() throws {
        let script = try Self.identify("<settings/>", TypeClaims(name: "lib.so.0.7-gdb.py"))
        #expect(script.warnings.count == 1 && script.warnings[0].contains("*.py"), "a version ends with a digit")
        let named = try Self.identify("<?xml version=\"1.0\"?><a/>", TypeClaims(name: "a.gpx"))
        #expect(named.evidence.first == Evidence("name", "*.gpx"))
        #expect(named.confidence == .likely)
    }

    /// The same names are used for several forms of one format.
    @Test(arguments: [
        ("Info.plist", "com.apple.property-list", false), ("Info.PLIST", "com.apple.xml-property-list", false),
        ("Info.xml", nil, true),
    ])
    func formsOfOneFormatGiveNoWarning(_ name: String, _ declared: String?, _ disagrees: Bool) throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        let found = try Self.identify([UInt8](list), TypeClaims(declared: declared, name: name))
        #expect(found.type.description == "application/x-bplist")
        #expect(found.warnings.isEmpty != disagrees)
    }

    @Test(arguments: ["a.pem", "a.crt", "a.cer", "a.der"])
    func anEncodedCertificateIsACertificate(_ name: String) throws {
        let text = "-----BEGIN CERTIFICATE-----\nMIIBszCCARwCFFhY\n-----END CERTIFICATE-----\n"
        let found = try Self.identify(text, TypeClaims(name: name))
        #expect(found.type.description == "application/x-pem-file")
        #expect(found.warnings.isEmpty)
    }

    @Test func namesInWarningsAreEscaped() throws {
        let name = "../\u{202E}gpj.\u{1B}[31m\u{202E}\(String(repeating: "x", count: 99)).pdf"
        let found = try Self.identify(Self.jpeg, TypeClaims(name: name))
        #expect(found.warnings == ["named *.pdf, but the bytes are image/jpeg"])
    }

    @Test func survivesMutations() throws {
        let sniffer = try MagicSniffer()
        let seeds = [
            ZipBuilder([("content.xml", "<x/>"), ("mimetype", "application/epub+zip"), ("[Content_Types].xml", "")])
                .bytes,
            Array("<?xml version=\"1.0\"?><!-- a --><svg a='b' xmlns=\"http://www.w3.org/2000/svg\">".utf8),
            Array("junk%PDF-1.4\nstartxref\n%%EOF".utf8), Array("[InternetShortcut]\nURL=https://example.org".utf8),
        ]
        var generator = SeededGenerator(seed: 2)
        var types: Set<MediaType> = []
        for round in 0..<4_000 {
            let content = ContentBytes(generator.mutation(of: seeds[round % seeds.count]))
            types.insert(try sniffer.identify(content, claims: TypeClaims(declared: "public.text", name: "a.md")).type)
        }
        #expect(types.count > 5)
    }
}
