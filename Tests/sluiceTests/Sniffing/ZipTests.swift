import Formats
import ShareModel
import Sniffing
import Testing

@Suite("Zip archives")
struct ZipTests {
    private static let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    static func contentTypes(_ type: String, part: String = "/word/document.xml") -> String {
        "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
            + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
            + "<Override PartName=\"\(part)\" ContentType=\"\(type)\"/></Types>"
    }

    static func type(_ entries: [(String, String)]) throws -> String {
        try MagicSnifferTests.identify(ZipBuilder(entries).bytes).type.description
    }

    @Test(arguments: [
        ("\(word).main+xml", word),
        ("application/vnd.ms-word.document.macroEnabled.main+xml", "application/vnd.ms-word.document.macroenabled.12"),
        (
            "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
            "application/vnd.ms-word.template.macroenabled.12"
        ),
        (
            "application/vnd.ms-excel.sheet.binary.macroEnabled.main",
            "application/vnd.ms-excel.sheet.binary.macroenabled.12"
        ),
        ("application/vnd.ms-excel.addin.macroEnabled.main+xml", "application/vnd.ms-excel.addin.macroenabled.12"),
        (
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow"
        ),
        ("application/vnd.ms-visio.stencil.main+xml", "application/vnd.ms-visio.stencil.main+xml"),
        (
            "application/vnd.ms-package.3dmanufacturing-3dmodel+xml",
            "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"
        ),
        ("application/vnd.ms-package.xps-fixeddocumentsequence+xml", "application/vnd.ms-xpsdocument"),
    ])
    func knowsPackagesByTheirMainPart(_ contentType: String, _ type: String) throws {
        #expect(try Self.type([("a.xml", ""), ("[Content_Types].xml", Self.contentTypes(contentType))]) == type)
    }

    @Test func relationshipsChooseBetweenMainParts() throws {
        let sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        let both =
            "<Types><Override PartName=\"/other.xml\" ContentType=\"\(sheet).main+xml\"/>"
            + "<Override PartName=\"/word/document.xml\" ContentType=\"\(Self.word).main+xml\"/></Types>"
        let links =
            "<Relationships><Relationship Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
            + "officeDocument\" Target=\"word/document.xml\"/></Relationships>"
        #expect(try Self.type([("[Content_Types].xml", both), ("_rels/.rels", links)]) == Self.word)
        #expect(try Self.type([("[Content_Types].xml", both)]) == sheet)
    }

    @Test(arguments: [
        (["word/document.xml", "[Content_Types].xml"], word),
        (["word/document.xml", "_rels/.rels"], word),
        (["WORD\\document.xml", "[content_types].XML"], word),
        (["word/document.xml"], "application/zip"), (["word/document.xml", "notes.txt"], "application/zip"),
        (["[Content_Types].xml", "AppxManifest.xml"], "application/msix"),
        (["[Content_Types].xml", "extension.vsixmanifest"], "application/vsix"),
        (["META-INF/MANIFEST.MF", "a.class"], "application/java-archive"),
        (["AndroidManifest.xml", "classes.dex", "META-INF/MANIFEST.MF"], "application/vnd.android.package-archive"),
        (["AndroidManifest.xml", "classes.jar", "R.txt"], "application/zip"),
        (["AndroidManifest.xml"], "application/zip"),
        (["Payload/", "Payload/A.app/Info.plist"], "application/x-itunes-ipa"),
        (["install.rdf"], "application/x-xpinstall"), (["manifest.json"], "application/zip"),
        (["manifest.json", "META-INF/mozilla.rsa", "META-INF/manifest.mf"], "application/x-xpinstall"),
        (["Index/Document.iwa", "Index/Slide-1.iwa"], "application/vnd.apple.keynote"),
        (["A.key/", "A.key/Index.zip", "A.key/Metadata/Properties.plist"], "application/vnd.apple.keynote"),
        (["A.key/Index.zip", "B.txt"], "application/zip"),
        (["index.apxl"], "application/vnd.apple.keynote"),
        (["doc.kml", "files/a.png"], "application/vnd.google-earth.kmz"),
        (["map.kml"], "application/vnd.google-earth.kmz"), (["map.kml", "notes.txt"], "application/zip"),
        (["001.jpg", "ComicInfo.xml"], "application/vnd.comicbook+zip"), (["001.jpg"], "application/zip"),
        (["pass.json", "manifest.json", "signature"], "application/vnd.apple.pkpass"),
        (["m/data.pkl", "m/version", "m/data/0"], "application/x-pytorch"), (["m/data.pkl"], "application/zip"),
        (["document.json", "meta.json", "user.json", "pages/1.json"], "application/vnd.bohemian.sketch"),
        (["/"], "application/zip"), ([""], "application/zip"),
    ])
    func knowsArchivesByTheirNames(_ names: [String], _ type: String) throws {
        #expect(try Self.type(names.map { ($0, "<x/>") }) == type)
    }

    /// AutoText of LibreOffice. A list of corrections has the same root.
    @Test(arguments: [
        ("BlockList.xml", "http://openoffice.org/2001/block-list", "application/vnd.openofficeorg.autotext"),
        ("DocumentList.xml", "http://openoffice.org/2001/block-list", "application/zip"),
        ("blocklist.xml", "http://www.mozilla.org/2006/addons-blocklist", "application/zip"),
    ])
    func knowsAutoText(_ name: String, _ namespace: String, _ type: String) throws {
        let list = "<?xml version=\"1.0\"?>\n<b:block-list xmlns:b=\"\(namespace)\" b:list-name=\"a\"/>"
        #expect(try Self.type([("SD/content.xml", "<x/>"), (name, list)]) == type)
    }

    @Test(arguments: [
        "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.formula-template",
        "application/vnd.oasis.opendocument.database", "application/vnd.sun.xml.calc", "application/epub+zip",
        "image/openraster",
    ])
    func findsTheDeclaredTypeAnywhere(_ type: String) throws {
        for isDeflated in [false, true] {
            var builder = ZipBuilder([("content.xml", "<x/>"), ("mimetype", "\(type)\n")])
            builder.entries[1].isDeflated = isDeflated
            #expect(try MagicSnifferTests.identify(builder.bytes).type.description == type)
        }
    }

    @Test func relationshipListsDetermineTheDocument() throws {
        let text = "application/vnd.oasis.opendocument.text"
        let manifest = "<m:manifest><m:file-entry m:full-path=\"/\" m:media-type=\"\(text)\"/></m:manifest>"
        #expect(try Self.type([("META-INF/manifest.xml", manifest)]) == text)
        let container = "<container><rootfiles><rootfile full-path=\"a\" media-type=\"application/oebps-package+xml\"/>"
        #expect(try Self.type([("META-INF/container.xml", container)]) == "application/epub+zip")
        #expect(try Self.type([("a", ""), ("mimetype", "image/jpeg")]) == "application/zip")
        #expect(try Self.type([("META-INF/manifest.xml", "<manifest/>")]) == "application/zip")
    }

    @Test func readsTheFirstMessageOfADocument() throws {
        // A frame, Snappy's length, and a literal of eight bytes: header length, identifier 1, message type n.
        let document = { (type: [UInt8]) -> [UInt8] in
            [0, 30, 0, 0, 20, 36, 9, 8, 1, 0x12, 5, 8] + type + [0x12, 3]
        }
        for (type, expected) in [([0x90, 0x4E], "pages"), ([1], "numbers")] as [([UInt8], String)] {
            var builder = ZipBuilder([("Index/Document.iwa", ""), ("Index/Tables/Tile.iwa", "")])
            builder.entries[0].bytes = document(type)
            #expect(
                try MagicSnifferTests.identify(builder.bytes).type.description == "application/vnd.apple.\(expected)")
        }
        let old = "<?xml version=\"1.0\"?><sl:document xmlns:sl=\"http://developer.apple.com/namespaces/sl\">"
        #expect(try Self.type([("index.xml", old)]) == "application/vnd.apple.pages")
        #expect(try Self.type([("index.xml", "<document/>")]) == "application/zip")
    }

    @Test func namesChooseWhereBytesCannot() throws {
        let claimed = { (names: [String], name: String) in
            let bytes = ZipBuilder(names.map { ($0, "") }).bytes
            return try MagicSnifferTests.identify(bytes, TypeClaims(name: name)).type.description
        }
        #expect(try claimed(["001.jpg", "002.PNG"], "a.cbz") == "application/vnd.comicbook+zip")
        #expect(try claimed(["001.jpg", "notes.txt"], "a.cbz") == "application/zip")
        #expect(try claimed(["001.jpg"], "a.docx") == "application/zip")
        #expect(try claimed(["Index.zip", "Metadata/Properties.plist"], "a.pages") == "application/vnd.apple.pages")
        #expect(try claimed(["Index/Document.iwa"], "a.numbers") == "application/vnd.apple.numbers")
        #expect(try claimed(["Index/Document.iwa", "Index/Slide.iwa"], "a.numbers") == "application/vnd.apple.keynote")
    }

    @Test func knowsScenesByTheirAlignment() throws {
        let scene = ZipBuilder([(String(repeating: "s", count: 29) + ".usdc", "PXR-USDC")]).bytes
        #expect(try MagicSnifferTests.identify(scene).type.description == "model/vnd.usdz+zip")
        #expect(try Self.type([("s.usdc", "PXR-USDC")]) == "application/zip")
    }

    /// The variants in which one archive can be written.
    @Test(
        arguments: [\ZipBuilder.isStreamed, \ZipBuilder.isWide] as [any WritableKeyPath<ZipBuilder, Bool> & Sendable])
    func readsEveryForm(_ form: any WritableKeyPath<ZipBuilder, Bool> & Sendable) throws {
        var builder = ZipBuilder([
            ("a.txt", "hello"), ("[Content_Types].xml", Self.contentTypes("\(Self.word).main+xml")),
        ])
        builder[keyPath: form] = true
        builder.entries[1].isDeflated = true
        for comment in [0, 1, 2_000, 65_535] {
            builder.comment = [UInt8](repeating: 0x20, count: comment)
            #expect(try MagicSnifferTests.identify(builder.bytes).type.description == Self.word, "comment \(comment)")
        }
        builder.prefix = Array("#!/bin/sh\n".utf8)
        let shifted = try #require(try ZipDirectory(ContentBytes(builder.bytes)))
        let entry = try #require(shifted.entry("[content_types].xml"))
        #expect(shifted.isCentral)
        #expect(try shifted.bytes(of: entry, in: ContentBytes(builder.bytes), limit: 5) == Array("<?xml".utf8))
    }

    @Test func readsTheRestOfATruncatedArchive() throws {
        for isStreamed in [false, true] {
            var builder = ZipBuilder([
                ("x.jar", ""), ("[Content_Types].xml", Self.contentTypes("\(Self.word).main+xml")),
            ])
            builder.isStreamed = isStreamed
            builder.entries[0].bytes = ZipBuilder([("META-INF/MANIFEST.MF", "")]).bytes
            builder.hasDirectory = false
            let found = try MagicSnifferTests.identify(builder.bytes)
            #expect(found.type.description == Self.word)
            #expect(found.confidence == .likely)
        }
    }

    @Test func ignoresAMillionClaimedEntries() throws {
        var builder = ZipBuilder((0..<40_000).map { ("folder/file-\($0)-with-a-rather-long-name.txt", "") })
        builder.entries.append(.init(name: "META-INF/MANIFEST.MF", bytes: []))
        builder.claimedCount = 65_000
        let content = ContentBytes(builder.bytes)
        let directory = try #require(try ZipDirectory(content))
        #expect(directory.isCut)
        #expect(directory.entries.count < 4_000)
        #expect(directory.entry("meta-inf/manifest.mf") != nil)
        #expect(content.usage.bytes < 256 << 10)
        #expect(!content.isSpent)
        builder = ZipBuilder([("a.txt", "")])
        builder.claimedCount = 60_000
        #expect(try ZipDirectory(ContentBytes(builder.bytes))?.entries.count == 1)
    }

    @Test func readsADirectoryAfterGigabytes() throws {
        var builder = ZipBuilder([("[Content_Types].xml", Self.contentTypes("\(Self.word).main+xml"))])
        builder.isWide = true
        let far: Int64 = 5 << 30
        var file = SparseFile(size: far + Int64(builder.bytes.count))
        file[0] = Array(builder.bytes.prefix(30))
        file[far] = builder.bytes
        try file.read { content in
            let found = try MagicSniffer().identify(content, claims: TypeClaims())
            #expect(found.type.description == Self.word)
            #expect(!content.isSpent)
            #expect(content.usage.reads < 16)
            #expect(content.usage.bytes < 160 << 10)
        }
    }

    @Test func inflatesNoBomb() throws {
        var builder = ZipBuilder([("mimetype", String(repeating: "a", count: 60_000))])
        builder.entries[0].isDeflated = true
        let content = ContentBytes(builder.bytes)
        let directory = try #require(try ZipDirectory(content))
        #expect(try directory.bytes(of: directory.entries[0], in: content, limit: 100)?.count == 100)
    }

    @Test(arguments: ["%PDF-1.4\n1 0 obj\nendobj\n", "GIF89a\u{1}\0\u{1}\0\0\0\0,\0\0\0\0"])
    func warnsOfAnArchiveBehindADocument(_ start: String) throws {
        var builder = ZipBuilder([("a.txt", "hello")])
        let front = Array(start.utf8) + [UInt8](repeating: 0x20, count: 2_000)
        builder.comment = Array("\nstartxref\n0\n%%EOF\n".utf8)
        builder.prefix = front
        let found = try MagicSnifferTests.identify(builder.bytes)
        #expect(found.type != "application/zip")
        #expect(found.warnings == ["the bytes are \(found.type), but are also a zip archive"])
        #expect(try MagicSnifferTests.identify(front + Array("%%EOF PK\u{5}\u{6} is no archive".utf8)).warnings == [])
    }

    @Test func survivesMutationsAndCuts() throws {
        let sniffer = try MagicSniffer()
        var wide = ZipBuilder([
            ("Index/Document.iwa", "\0aaaaaaaaa"), ("META-INF/container.xml", "<a><rootfile b='c'/>"),
        ])
        wide.isWide = true
        var streamed = ZipBuilder([
            ("a/data.pkl", ""), ("mimetype", "application/epub+zip"), ("[Content_Types].xml", Self.contentTypes("a/b")),
        ])
        streamed.isStreamed = true
        streamed.entries[2].isDeflated = true
        let seeds = [wide.bytes, streamed.bytes]
        var generator = SeededGenerator(seed: 5)
        var types: Set<MediaType> = []
        for round in 0..<4_000 {
            let content = ContentBytes(generator.mutation(of: seeds[round % 2]))
            types.insert(try sniffer.identify(content, claims: TypeClaims()).type)
        }
        for seed in seeds {
            for count in 0..<seed.count {
                _ = try sniffer.identify(ContentBytes(Array(seed.prefix(count))), claims: TypeClaims())
            }
        }
        #expect(types.count > 3)
    }
}
