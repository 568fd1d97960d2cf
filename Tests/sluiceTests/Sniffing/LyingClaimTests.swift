import Formats
import ShareModel
import Sniffing
import Testing

/// Each content with each claim, as a name, as a declared type, and as both. The bytes decide, unless the claim is a
/// more specific type of the same bytes.
@Suite("Claims that lie")
struct LyingClaimTests {
    static let contents: [(name: String, bytes: [UInt8])] = [
        (
            "png",
            [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR\0\0\0\u{1}\0\0\0\u{1}\u{8}\u{2}\0\0\0".utf8)
                + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        ),
        ("gif", Array("GIF89a\u{1}\0\u{1}\0\0\0\0;".utf8)),
        ("jpeg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 7] + ascii("JFIF\0") + [0xFF, 0xD9]),
        ("tiff", ascii("II*\0\u{8}\0\0\0\0\0\0\0\0\0")), ("webp", ascii("RIFF\u{1A}\0\0\0WEBPVP8L\u{D}\0\0\0/\0\0\0")),
        (
            "bmp",
            ascii("BM") + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]
                + [UInt8](repeating: 0, count: 28)
        ),
        ("pdf", ascii("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\nstartxref\n0\n%%EOF\n")),
        ("zip", [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)),
        ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("xz", [0xFD] + ascii("7zXZ\0\0\u{4}")), ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]),
        ("ole", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 504)),
        ("mp4", [0, 0, 0, 24] + ascii("ftypisom\0\0\u{2}\0isommp42") + [0, 0, 0, 8] + ascii("mdat")),
        ("mov", [0, 0, 0, 20] + ascii("ftypqt  \0\0\u{2}\0qt  ") + [0, 0, 0, 8] + ascii("mdat")),
        ("flac", ascii("fLaC\0\0\0\u{22}") + [UInt8](repeating: 0, count: 34)),
        ("wav", ascii("RIFF$\0\0\0WAVEfmt \u{10}\0\0\0\u{1}\0\u{1}\0\0\0\0\0\0\0\0\0\u{1}\0\u{8}\0data\0\0\0\0")),
        ("midi", ascii("MThd\0\0\0\u{6}\0\0\0\u{1}\0`MTrk\0\0\0\0")),
        ("class", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 16]),
        ("html", ascii("<!DOCTYPE html><html><head><title>a</title></head><body>b</body></html>\n")),
        ("svg", ascii("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n")),
        ("xml", ascii("<?xml version=\"1.0\"?>\n<a><b>c</b></a>\n")),
        ("json", ascii("{\"a\": [1, 2, 3], \"b\": {\"c\": null}}\n")),
        ("text", ascii("just a few words of a short text\nand some more\n")),
        ("rtf", ascii("{\\rtf1\\ansi a}\n")), ("link", ascii("[InternetShortcut]\r\nURL=https://example.org/\r\n")),
        ("noise", [0x93, 0x01, 0xFE, 0x7A, 0x00, 0xC3, 0x28, 0x99, 0x00, 0x81, 0x02, 0xF7]), ("empty", []),
    ]

    static let claims: [(name: String, declared: String)] = [
        ("a.png", "public.png"), ("a.jpg", "public.jpeg"), ("a.dng", "com.adobe.raw-image"),
        ("a.svg", "public.svg-image"),
        ("a.heic", "public.heic"), ("a.pdf", "com.adobe.pdf"), ("a.zip", "public.zip-archive"),
        ("a.docx", "org.openxmlformats.wordprocessingml.document"), ("a.pages", "com.apple.iwork.pages.sffpages"),
        ("a.doc", "com.microsoft.word.doc"), ("a.msg", "application/vnd.ms-outlook"),
        ("a.svgz", "image/svg+xml-compressed"),
        ("a.tar", "public.tar-archive"), ("a.mp4", "public.mpeg-4"), ("a.m4a", "public.mpeg-4-audio"),
        ("a.mp3", "public.mp3"), ("a.wav", "com.microsoft.waveform-audio"),
        ("a.exe", "com.microsoft.windows-executable"),
        ("a.html", "public.html"), ("a.txt", "public.plain-text"), ("a.csv", "public.comma-separated-values-text"),
        ("a.md", "net.daringfireball.markdown"), ("a.geojson", "public.geojson"), ("a.gpx", "com.topografix.gpx"),
        ("a.eml", "com.apple.mail.email"), ("a.vcf", "public.vcard"), ("a.ttf", "public.truetype-ttf-font"),
    ]

    /// The claims that may refine a conclusion, because the same bytes have both types.
    static let refinements: [String: Set<String>] = [
        "image/tiff": ["image/x-adobe-dng"],
        "application/json": ["application/geo+json"],
        "application/xml": ["application/gpx+xml"],
        "text/plain": ["text/csv", "text/markdown", "text/vcard", "application/geo+json", "application/gpx+xml"],
    ]

    static func ascii(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    @Test(arguments: contents)
    func theBytesWin(_ name: String, _ bytes: [UInt8]) throws {
        let sniffer = try MagicSniffer()
        let alone = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims()).type
        if name == "noise" { #expect(alone == .unknown) } else { #expect(alone != .unknown) }
        for claim in Self.claims {
            for claims in [
                TypeClaims(name: claim.name), TypeClaims(declared: claim.declared),
                TypeClaims(declared: claim.declared, name: claim.name),
            ] {
                let found = try sniffer.identify(ContentBytes(bytes), claims: claims)
                let refined = Self.refinements[alone.description, default: []]
                let isRight = found.type == alone || refined.contains(found.type.description)
                #expect(isRight, "\(name), \(alone), became \(found.type) by \(claims)")
                // A claim that contradicts the bytes gets a warning.
                let database = SharedMIMEDatabase.system
                let claimed = try #require(DeclaredType(claim.declared).mediaType)
                let fits = database.conforms(found.type, to: claimed) || database.conforms(claimed, to: found.type)
                if !fits, found.type != .empty { #expect(!found.warnings.isEmpty, "\(name) by \(claims)") }
                if database.conforms(found.type, to: claimed) { #expect(found.warnings == []) }
            }
        }
    }

    /// Synonyms of the type and of its supertypes change nothing and give no warning.
    @Test(arguments: [
        ("png", "image/x-png"), ("jpeg", "image/jpg"), ("jpeg", "image/pjpeg"), ("jpeg", "public.image"),
        ("wav", "audio/wav"), ("wav", "audio/vnd.wave"), ("svg", "text/xml"), ("svg", "public.xml"),
        ("html", "public.plain-text"), ("zip", "application/x-zip-compressed"), ("gzip", "application/x-gzip"),
        ("bmp", "image/x-ms-bmp"), ("mp4", "video/x-m4v"), ("flac", "audio/x-flac"), ("rtf", "text/rtf"),
        ("json", "text/json"), ("xml", "text/xml"), ("midi", "audio/x-midi"), ("noise", "application/octet-stream"),
        ("pdf", "application/x-pdf"), ("tiff", "image/tif"), ("text", "text/plain;charset=utf-8"),
    ])
    func synonymsGiveNoWarning(_ content: String, _ declared: String) throws {
        let bytes = try #require(Self.contents.first { $0.name == content }?.bytes)
        let sniffer = try MagicSniffer()
        let alone = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims()).type
        let found = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims(declared: declared))
        #expect(found.type == alone)
        #expect(found.warnings == [])
    }

    /// Private keys are called `*.key`, as Keynote's documents are. A Mac declares them as such.
    @Test(arguments: [
        (ascii("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n"), []),
        (ascii("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlFgEY\n-----END PGP PRIVATE KEY BLOCK-----\n"), []),
        (ascii("just a few words of a short text\n"), ["named *.key, but the bytes are text/plain"]),
    ])
    func aKeyIsNoKeynote(_ bytes: [UInt8], _ warnings: [String]) throws {
        let sniffer = try MagicSniffer()
        let named = try sniffer.identify(ContentBytes(bytes), claims: TypeClaims(name: "server.key"))
        #expect(named.warnings == warnings)
        let declared = TypeClaims(declared: "application/vnd.apple.keynote")
        #expect(try sniffer.identify(ContentBytes(bytes), claims: declared).warnings.isEmpty == warnings.isEmpty)
    }

    /// An identification must not depend on the previous one.
    @Test func identificationsAreIndependent() throws {
        let sniffer = try MagicSniffer()
        for round in 0..<3_000 {
            let declared = round % 3 == 0 ? "image/x-\(round)" : Self.claims[round % Self.claims.count].declared
            let content = Self.contents[round % 5]
            let claims = TypeClaims(declared: declared, name: round % 2 == 0 ? "a.tiff" : nil)
            let found = try sniffer.identify(ContentBytes(content.bytes), claims: claims)
            if round % 97 == 0 {
                let alone = try MagicSniffer().identify(ContentBytes(content.bytes), claims: claims)
                #expect(found == alone)
            }
        }
    }
}
