import Formats
import Foundation
import ShareModel
import Testing

@testable import Sniffing

/// What a claim adds where the bytes cannot decide.
@Suite("Claims that help")
struct GuessTests {
    /// Bytes that no rule recognizes, and that are no text.
    private static let noise: [UInt8] = [0x93, 0x01, 0xFE, 0x7A, 0x00, 0xC3, 0x28, 0x99, 0x00, 0x81, 0x02, 0xF7]

    private func identify(_ bytes: [UInt8], name: String? = nil, declared: String? = nil) throws -> Identification {
        try MagicSniffer(isLate: true).identify(
            ContentBytes(bytes), claims: TypeClaims(declared: declared, name: name))
    }

    /// A type without a signature is guessed from a claim.
    @Test(
        arguments: [
            ("sound.mpc", nil, "audio/x-musepack"), ("picture.bie", nil, "image/x-jbig"),
            (nil, "image/x-jbig", "image/x-jbig"),
            ("people.MYD", nil, "application/x-mysql-misam-data"),
            (nil, "chemical/x-mopac-input", "chemical/x-mopac-input"),
            ("x.bin", "application/vnd.example", "application/vnd.example"),
            ("x.br", "application/octetstream", "application/x-brotli"),
            // The bytes refute the first claim.
            ("x.br", "com.adobe.pdf", "application/x-brotli"), ("report.pdf", "image/x-jbig", "image/x-jbig"),
        ] as [(String?, String?, String)])
    func theTypeOfUnknownBytes(_ name: String?, _ declared: String?, _ type: String) throws {
        let found = try identify(Self.noise, name: name, declared: declared)
        #expect(found.type.description == type)
        #expect(found.confidence == .guessed)
    }

    /// A type that the program recognizes has a signature, so a claim gives it to no other bytes.
    @Test func aTypeWithASignatureNeedsIt() throws {
        let sniffer = try MagicSniffer(isLate: true)
        let types = Set(Inspectors.all.list.flatMap(\.concludes) + MagicNames.signed).subtracting(
            UnsignedTypes.partlySigned)
        #expect(types.count > 600)
        for type in types {
            let claims = TypeClaims(declared: type.description)
            let found = try sniffer.identify(ContentBytes(Self.noise), claims: claims)
            #expect(found.type == .unknown, "\(type)")
        }
    }

    /// Names that say nothing, and claims of a class, guess nothing.
    @Test(arguments: [
        "notes.bak", "notes~", "x.stl", "x.tga", "x.mk3d", "x.ogx", "x.spx", "x.pnm", "x.xcf.gz", "x.appimage", "x.ps1",
        "core", "a.bin",
        "a.unheardof", "a", "letter.txt", "a.md", "a.html", "a.eml", "a.c",
    ])
    func aNameThatSaysNothing(_ name: String) throws {
        #expect(try identify(Self.noise, name: name).type == .unknown)
    }

    @Test(arguments: [
        "public.image", "public.data", "public.text", "image/*", "application/octet-stream", "nonsense",
        "application/x-empty", "inode/directory", "x-scheme-handler/http", "multipart/mixed", "message/foo",
        "image/foo", "video/foo", "audio/foo", "application/foo+xml", "application/foo+json", "application/hta",
        "application/vbs", "application/x-matroska", "application/ogg", "application/pkcs12", "image/x-fpx",
        "application/x-powershell",
    ])
    func aDeclarationThatSaysNothing(_ declared: String) throws {
        #expect(try identify(Self.noise, declared: declared).type == .unknown)
    }

    /// Types with the same bytes, of which a name tells one.
    @Test(
        arguments: [
            ("'hsqs' *24 0400 0000 *64", "application/vnd.squashfs", "x.snap", "application/vnd.snap"),
            ("'hsqs' *24 0400 0000 *64", "application/vnd.squashfs", "x.png", "application/vnd.squashfs"),
            ("1F8B 08 00 00000000 0003", "application/gzip", "letter.kwd", "application/x-kword"),
            ("1F8B 08 00 00000000 0003", "application/gzip", "letter.odt", "application/gzip"),
        ])
    func aNameInsideAFamily(_ bytes: String, _ type: String, _ name: String, _ finer: String) throws {
        #expect(try identify(header(bytes)).type.description == type)
        #expect(try identify(header(bytes), name: name).type.description == finer)
    }

    /// A claim and a rule give a type the same name.
    @Test(arguments: [
        ("a.yaml", "application/yaml"), ("a.yml", "application/yaml"), ("a.sh", "application/x-shellscript"),
        ("a.csv", "text/csv"), ("a.tex", "text/x-tex"),
    ])
    func aTypeHasOneName(_ name: String, _ type: String) throws {
        let found = try identify(Array("a: words\n".utf8), name: name)
        #expect(found.type.description == type)
    }

    @Test(arguments: [
        ("text/x-yaml", "application/yaml"), ("text/x-markdown", "text/markdown"), ("text/x-csource", "text/x-csrc"),
    ])
    func aSecondNameOfAType(_ declared: String, _ type: String) throws {
        #expect(try identify(Array("a: words\n".utf8), declared: declared).type.description == type)
    }

    /// A claim gives a type that the bytes allow under the name that the rules give it.
    @Test func aSecondNameOfAPossibleType() throws {
        let bytes = header("@80 9A060000 @160")
        // The names say nothing, so they do not count against the declaration.
        for name in [nil, "part.bin", "part.bak"] {
            #expect(try identify(bytes, name: name, declared: "application/x-stl").type == "model/stl")
        }
        let page = Array("<html><body><?php echo 1; ?></body></html>".utf8)
        #expect(try identify(page, declared: "application/x-httpd-php").type == "application/x-php")
    }

    private static let message =
        "From ada@example.org Fri Feb 22 17:06:23 2008\nFrom: Ada <ada@example.org>\nTo: ben@example.org\n"
        + "Subject: Rivers\nDate: Fri, 22 Feb 2008 17:06:23 +0000\n\nThe river rises.\n"

    /// Some programs write a separator before a single message.
    @Test func oneMessageBehindASeparator() throws {
        let one = Array(Self.message.utf8)
        #expect(try identify(one).type == "application/mbox")
        #expect(try identify(one, name: "letter.eml").type == "message/rfc822")
        #expect(try identify(one, declared: "com.apple.mail.email").type == "message/rfc822")
        #expect(try identify(one, name: "mail.mbox").type == "application/mbox")
        #expect(try identify(one, name: "a.jpg").type == "application/mbox")
        #expect(
            try identify(Array((Self.message + "\n" + Self.message).utf8), name: "letter.eml").type
                == "application/mbox")
    }

    /// The second separator can be behind the part that is read.
    @Test func aMailboxWithALongFirstMessage() throws {
        let long = Self.message + String(repeating: "The river rises and rises.\n", count: 4_000)
        #expect(try identify(Array((long + "\n" + Self.message).utf8), name: "letter.eml").type == "application/mbox")
    }

    @Test(arguments: [
        "<html><meta name=\"description\" content=\"What does <?php mean?\"></html>",
        "<html><body><?php echo 1; ?></body></html>",
        "<ul><?php foreach ($a as $b): ?><li><?= $b ?></li><?php endforeach; ?></ul>",
    ])
    func aPageWithPHP(_ page: String) throws {
        #expect(try identify(Array(page.utf8)).type == .html)
        #expect(try identify(Array(page.utf8), name: "a.html").type == .html)
        #expect(try identify(Array(page.utf8), name: "a.php").type == "application/x-php")
    }

    /// The number of triangles is plausible, but they are not all there.
    @Test func aModelThatWasCutOff() throws {
        let bytes = header("@80 9A060000 @160")
        #expect(try identify(bytes).type == .unknown)
        #expect(try identify(bytes, name: "x.png").type == .unknown)
        #expect(try identify(bytes, name: "part.stl").type == "model/stl")
    }

    /// What a claim may give to unrecognized bytes, it does not give to recognized ones.
    @Test func wideTextCalledAModel() throws {
        let words = "The river rises in the night, and the watchman writes it down."
        var text: [UInt8] = [0xFF, 0xFE]
        for byte in words.utf8 { text += [byte, 0] }
        #expect(try identify(text).type == .plainText)
        #expect(try identify(text, name: "part.stl").type == .plainText)
    }

    /// Versions and old logs end with a digit, and are no manual pages.
    @Test(arguments: ["app.log.1", "Notes 1.2", "ls.1"])
    func aNameThatEndsWithADigit(_ name: String) throws {
        let found = try identify(Array("The river rises.\n".utf8), name: name)
        #expect(found.type == .plainText && found.warnings == [])
        #expect(try identify(Array(".TH LS 1\n.SH NAME\n".utf8), name: name).warnings == [])
    }

    @Test func aManualPage() throws {
        #expect(try identify(Array(".TH LS 1\n.SH NAME\n".utf8), name: "ls.man").warnings == [])
        #expect(try identify(Array("The river rises.\n".utf8), name: "ls.man").type == "application/x-troff-man")
        let picture = try identify(header("89504E470D0A1A0A 0000000D 'IHDR'"), name: "ls.man")
        #expect(picture.type == "image/png" && picture.warnings.contains("named *.man, but the bytes are image/png"))
    }

    /// Names that programs give to text of any syntax, or to two kinds of files.
    @Test(
        arguments: [
            ("app.log", "{\"a\": 1}\n"), ("app.log", "a,b,c\n1,2,3\n4,5,6\n"),
            ("build.log", "<html><body>a</body></html>"), ("app.cfg", "{\"a\": 1}\n"),
            ("app.ini", "<?xml version=\"1.0\"?>\n<a/>\n"), ("dark.theme", "[Theme]\nName=a\n"),
            ("dark.theme", "{\"a\": 1}\n"), ("dark.theme", "The river rises.\n"),
            ("remote.sub", "Filetype: a\nVersion: 1\n"), ("remote.sub", "{\"a\": 1}\n"),
            ("config.fish", "set -x PATH /bin\n"),
            ("app.conf", "[a]\nb=c\n"),
            ("libc.so", "/* GNU ld script */\nGROUP ( libc.so.6 )\n"), ("libfoo.so.1.2.3", "libfoo.so.1.2.4"),
            ("board.dts", "/dts-v1/;\n/ { model = \"a\"; };\n"), ("libfoo.so.1.2.txt", "The river rises.\n"),
            ("libfoo.so.1.json", "{\"a\": 1}\n"), ("go.mod", "module example.com/a\n\ngo 1.22\n"),
            ("cube.obj", "mtllib cube.mtl\nv 1 1 1\nf 1 1 1\n"), ("cube.mtl", "newmtl red\nKd 1 0 0\n"),
            ("a.bat", "dir\r\n"), ("a.ps1", "Get-Date\n"), ("a.coffee", "a = -> 1\n"),
            ("a.vue", "<template><p>a</p></template>\n"),
        ])
    func aNameOfManyKinds(_ name: String, _ text: String) throws {
        for database in ClaimTests.databases {
            let sniffer = try MagicSniffer(database: database, isLate: true)
            let found = try sniffer.identify(ContentBytes(Array(text.utf8)), claims: TypeClaims(name: name))
            #expect(found.warnings == [])
        }
    }

    /// The same names on content that is no text.
    @Test(arguments: ["a.log", "a.cfg", "a.sub", "a.so", "a.so.1", "a.fish", "a.dts", "a.man"])
    func aNameThatLies(_ name: String) throws {
        let found = try identify(header("89504E470D0A1A0A 0000000D 'IHDR'"), name: name)
        #expect(found.warnings.count { $0.hasPrefix("named ") } == 1)
    }

    /// The database without the system's has the relation of the two kinds of DTS too.
    @Test func soundInHighDefinition() throws {
        let bytes = header("7FFE8001 FC3C063000 @100 64582025 0000")
        for database in ClaimTests.databases {
            let sniffer = try MagicSniffer(database: database, isLate: true)
            let claims = TypeClaims(declared: "audio/x-dtshd", name: "a.dts")
            let found = try sniffer.identify(ContentBytes(bytes), claims: claims)
            #expect(found.type == "audio/vnd.dts.hd" && found.warnings == [])
        }
    }

    private static let armor = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
    private static let encrypted =
        "-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-256-CBC,0A\r\n\r\nMII+/w==\r\n"
        + "-----END RSA PRIVATE KEY-----\r\n"

    /// RFC 7468, 5.2: text may explain a certificate before its armor.
    @Test(arguments: [
        "Certificate:\n    Data:\n        Version: 3\n" + armor, "##\n## Bundle of certificates\n##\n\n" + armor, armor,
        "The key:\r\n" + encrypted, "First:\n" + armor + "Then:\n" + armor,
    ])
    func aCertificateBehindText(_ text: String) throws {
        for name in [nil, "ca.crt", "server.pem", "a.cer", "a.key"] {
            let found = try identify(Array(text.utf8), name: name)
            #expect(found.type == "application/x-pem-file" && found.warnings == [])
        }
    }

    /// Other kinds of text can end with armor. Only a name shows them.
    @Test(arguments: [
        ("README.md", "text/markdown"), ("a.yaml", "application/yaml"), ("a.txt", "text/plain"),
        ("a.cfg", "text/x-ini"), ("a.py", "text/x-python"), ("lic.js", "text/javascript"), ("a.tex", "text/x-tex"),
    ])
    func aTextThatEndsWithACertificate(_ name: String, _ type: String) throws {
        for database in ClaimTests.databases {
            let sniffer = try MagicSniffer(database: database, isLate: true)
            let text = ContentBytes(Array(("# Setup\n\nUse this one:\n\n" + Self.armor).utf8))
            let found = try sniffer.identify(text, claims: TypeClaims(name: name))
            #expect(database.canonical(found.type) == database.canonical(try #require(MediaType(type))))
            #expect(found.warnings == [])
        }
    }

    /// A page without tags is plain text. A name of another kind of content, and a general declaration, show nothing.
    @Test(
        arguments: [
            ("index.html", nil, "text/plain"), ("a.jpg", nil, "application/x-pem-file"),
            (nil, "public.plain-text", "application/x-pem-file"), ("a.unheardof", nil, "application/x-pem-file"),
        ] as [(String?, String?, String)])
    func aTextThatEndsWithACertificate(_ name: String?, _ declared: String?, _ type: String) throws {
        let text = Array(("Use this one:\n" + Self.armor).utf8)
        #expect(try identify(text, name: name, declared: declared).type.description == type)
    }

    @Test(arguments: [
        "Like this:\n" + armor + "and so on\n", "Like this:\n-----END CERTIFICATE-----\n",
        "Like this:\n-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n",
        "Like this:\n-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----\n",
        "Like this:\n-----BEGIN PRIVATE KEY-----\n10:00 start\n-----END PRIVATE KEY-----\n",
        "Welcome\n-----BEGIN LOG-----\nstart\n-----END LOG-----\n",
        "Words that are signed\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n",
    ])
    func aTextAboutCertificates(_ text: String) throws {
        #expect(try identify(Array(text.utf8)).type != "application/x-pem-file")
    }

    /// The interpreter decides, and not the name.
    @Test func aScriptWithTheNameOfAnother() throws {
        #expect(try identify(Array("#!/usr/bin/python3\nprint(1)\n".utf8), name: "p.sh").type == "text/x-python")
    }

    @Test(arguments: [
        "<root><b/></root>\n<!-- end -->\n", "<settings/>\n", "<!-- c -->\n<settings/>",
        "<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a1>&x;</a1>", "<root>a</root >\n",
        "<root>a</root>\n<?pi x?>\n<!-- c -->\n",
        "<root/><?pi x?>",
        "<!-- see <!doctype a> --><!DOCTYPE note SYSTEM \"note.dtd\">\n<note/>\n",
        "<?see <!doctype a>?>\n<!DOCTYPE note SYSTEM 'note.dtd'>\n<note/>\n",
        "<!DOCTYPE note SYSTEM \"http://x/?a>b\">\n<note/>\n", "<!DOCTYPE note SYSTEM \"a[1].dtd\">\n<note/>\n",
        "<!DOCTYPE note PUBLIC \"it's\" \"a.dtd\" [<!ENTITY a 'b'>]>\n<note/>\n", "<!DOCTYPE note>\n<note/>\n",
    ])
    func aShortDocument(_ text: String) throws {
        #expect(try identify(Array(text.utf8), name: "a.xml").type == "application/xml")
        #expect(try identify(Array(text.utf8), name: "a.xml").warnings == [])
    }

    @Test(
        arguments: [
            ("<?xml version=\"1.0\"?>\n<!-- a -->\n<!ELEMENT note (to,from)>\n", "application/xml-dtd", "a.dtd"),
            ("<!-- words -->\n<!ENTITY % a \"b\">\n", "application/xml-dtd", "a.dtd"),
            ("<!ATTLIST a b CDATA #IMPLIED>\n", "application/xml-dtd", "a.dtd"),
            ("<!ELEMENT note (to,from)>\n", "application/xml-dtd", "a.dtd"),
            ("<!-- a -->\n%names;\n", "application/xml-dtd", "a.dtd"),
            ("<![ INCLUDE [\n<!ELEMENT a ANY>\n]]>\n", "application/xml-dtd", "a.dtd"),
            ("<!-- a -->\n<![%draft;[\n<!ELEMENT a ANY>\n]]>\n", "application/xml-dtd", "a.dtd"),
            ("<!-- a -->\n%names\n", "text/plain", "a.txt"), ("<![if !IE]>\n<p>a</p>\n", "text/plain", "a.txt"),
            ("% words\n", "application/xml-dtd", "a.dtd"),
            (
                "<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook V4.1//EN\">\n<book><title>a<chapter>b\n", "text/sgml",
                "a.sgml"
            ),
            ("<!doctype linuxdoc system>\n<article>\n<title>a\n", "text/sgml", "a.sgml"),
            ("<!DOCTYPE linuxdoc SYSTEM>\n<article>\n<title>a\n", "text/sgml", "a.sgm"),
            ("<!DOCTYPE a PUBLIC \"it's\">\n<a>\n", "text/sgml", "a.sgml"),
            ("<!DOCTYPE a system \"a.dtd\">\n<a>\n", "text/sgml", "a.sgml"),
            (
                "<!-- XML -->\n<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook V4.1//EN\">\n<book><title>a\n",
                "text/sgml", "a.sgml"
            ),
            ("<!SGML \"ISO 8879:1986\"\nCHARSET\n", "text/sgml", "a.sgml"),
            ("<?xml version=\"1.0\"?>\n<book/>\n", "application/xml", "a.sgml"),
            ("<!doctype HTML>\n<title>a</title>\n", "text/html", "a.sgml"),
            ("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META a=\"b\">\n<TITLE>a</TITLE>\n", "text/html", "a.html"),
            (
                "<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\"><book/>", "application/docbook+xml",
                "a.xml"
            ),
        ])
    func aDocumentOfSGML(_ text: String, _ type: String, _ name: String) throws {
        let found = try identify(Array(text.utf8), name: name)
        #expect(found.type.description == type && found.warnings == [])
    }

    /// The name says the same as the bytes, so a declaration that they would allow does not count.
    @Test func aMailboxDeclaredAsMail() throws {
        let found = try identify(Array(Self.message.utf8), name: "m.mbox", declared: "message/rfc822")
        #expect(found.type == "application/mbox")
    }

    @Test func aTableOfTabsNamedText() throws {
        let table = Array("name\tage\tcity\nAda\t36\tLondon\nBen\t41\tParis\n".utf8)
        #expect(try identify(table).type == "text/tab-separated-values")
        #expect(try identify(table, name: "people.txt").type == .plainText)
        #expect(try identify(table, name: "people.tsv").type == "text/tab-separated-values")
        #expect(try identify(table, name: "people.jpg").type == "text/tab-separated-values")
        // Senders declare plain text if they do not know more.
        for declared in ["text/plain", "public.plain-text"] {
            #expect(try identify(table, declared: declared).type == "text/tab-separated-values")
            #expect(try identify(table, name: "a.tsv", declared: declared).type == "text/tab-separated-values")
            #expect(try identify(table, name: "a.txt", declared: declared).type == .plainText)
        }
    }

    @Test(arguments: [
        ("letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("letter.xlsm", "application/vnd.ms-excel.sheet.macroenabled.12"), ("letter.pdf", "application/encrypted"),
        ("letter", "application/encrypted"),
    ])
    func anEncryptedDocument(_ name: String, _ type: String) throws {
        let bytes = OLEBuilder(["EncryptionInfo", "EncryptedPackage"]).bytes
        let found = try identify(bytes, name: name)
        #expect(found.type.description.lowercased() == type)
        #expect(found.basis.contains { $0.contains("EncryptedPackage") })
    }

    /// Text in EBCDIC has no mark, so it needs a claim.
    @Test func textInEBCDIC() throws {
        // "THE RIVER RISES", twice, with a new line.
        let line: [UInt8] = [
            0xE3, 0xC8, 0xC5, 0x40, 0xD9, 0xC9, 0xE5, 0xC5, 0xD9, 0x40, 0xD9, 0xC9, 0xE2, 0xC5, 0xE2, 0x25,
        ]
        #expect(try identify(line + line).type != .plainText)
        #expect(try identify(line + line, name: "river.txt").type == .plainText)
        #expect(try identify(line + line, name: "river.jpg").type != .plainText)
    }

    /// The second byte of an ideographic blank in Shift JIS or Big5 is a blank in EBCDIC. The samples are those of the
    /// sink `text-note`, which has the same rule.
    @Test(
        arguments: [
            ("ebcdic", [.plainText]), ("shift-jis-wide-blanks", []), ("shift-jis-one-line", []),
            ("big5-wide-blanks", []),
        ] as [(String, Set<MediaType>)])
    func wideBlanksAreNoEBCDIC(_ sample: String, _ possible: Set<MediaType>) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Plugins/TextNote/samples").standardized
        let bytes = try Data(contentsOf: folder.appending(path: "\(sample)/content.txt"))
        let content = try Sample(ContentBytes([UInt8](bytes)))
        #expect(try EBCDICInspector().inspect(content) == nil)
        #expect(content.possible == possible)
        #expect(try identify([UInt8](bytes), name: "content.txt").type == .plainText)
    }
}
