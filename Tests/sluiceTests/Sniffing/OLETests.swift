import Formats
import ShareModel
import Sniffing
import Testing

@Suite("OLE compound files")
struct OLETests {
    @Test(arguments: [
        (["CompObj", "WordDocument"], "application/msword"), (["Workbook"], "application/vnd.ms-excel"),
        (["Pictures", "PowerPoint Document"], "application/vnd.ms-powerpoint"),
        (["__nameid_version1.0", "__properties_version1.0"], "application/vnd.ms-outlook"),
        (["Book", "A", "B", "C", "D", "E"], "application/vnd.ms-excel"),
        (["VisioDocument"], "application/vnd.visio"), (["Quill", "Contents"], "application/vnd.ms-publisher"),
        (["MatOST", "WordDocument"], "application/vnd.ms-works"), (["Props12"], "application/vnd.ms-project"),
        (["EncryptionInfo", "EncryptedPackage"], "application/encrypted"),
        (["StarCalcDocument"], "application/vnd.stardivision.calc"),
        (["PerfectOffice_MAIN"], "application/vnd.wordperfect"), (["\u{4840}\u{3F3F}"], "application/x-msi"),
        (["WORKBOOK"], "application/vnd.ms-excel"), (["ENCRYPTIONINFO", "encryptedpackage"], "application/encrypted"),
        (["Dgn~Mf", "Dgn~H"], "image/vnd.dgn"),
        (["FileHeader"], "application/x-ole-storage"), (["Something"], "application/x-ole-storage"),
        ([], "application/x-ole-storage"),
    ])
    func knowsDocuments(_ names: [String], _ type: String) throws {
        let bytes = OLEBuilder(names).bytes
        #expect(try OLEDirectory(ContentBytes(bytes))?.names == Set(names))
        #expect(try MagicSnifferTests.identify(bytes).type.description == type)
    }

    @Test(
        arguments: [
            ([0x06, 9, 2, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46], "application/msword"),
            ([0x84, 0x10, 0x0C, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46], "application/x-msi"),
            ([0x46, 0xF0, 6, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46], "application/vnd.ms-outlook"),
            ([9, 0xF0, 6, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46], "application/x-ole-storage"),
        ] as [([UInt8], String)])
    func knowsClasses(_ rootClass: [UInt8], _ type: String) throws {
        var builder = OLEBuilder(["Whatever"])
        builder.rootClass = rootClass
        #expect(try MagicSnifferTests.identify(builder.bytes).type.description == type)
    }

    @Test func readsSmallStreams() throws {
        var builder = OLEBuilder([])
        builder.entries = [
            ("DocInfo", [UInt8](repeating: 1, count: 70)), ("FileHeader", Array("HWP Document File\0".utf8)),
        ]
        #expect(try MagicSnifferTests.identify(builder.bytes).type.description == "application/x-hwp")
        let content = ContentBytes(builder.bytes)
        let directory = try #require(try OLEDirectory(content))
        #expect(try directory.start(of: "DocInfo", in: content, count: 100) == [UInt8](repeating: 1, count: 70))
        #expect(try directory.start(of: "None", in: content, count: 100) == [])
    }

    @Test func saysWhichProgramEncrypted() throws {
        let number = { ZipBuilder.little($0, 4) }
        let section = number(60) + number(1) + number(18) + number(16) + number(0x1E) + number(16)
        var builder = OLEBuilder([])
        builder.entries = [
            ("EncryptionInfo", []), ("EncryptedPackage", []),
            (
                "\u{5}SummaryInformation",
                [0xFE, 0xFF] + [UInt8](repeating: 0, count: 42) + number(48) + section + Array("Microsoft Excel\0".utf8)
            ),
        ]
        #expect(try MagicSnifferTests.identify(builder.bytes).type.description == "application/vnd.ms-excel")
    }

    @Test func knowsFirstRecordsWithoutADirectory() throws {
        let header = Array(OLEBuilder([]).bytes.prefix(512))
        #expect(
            try MagicSnifferTests.identify(header + [0xEC, 0xA5, 0xC1, 0]).type.description == "application/msword")
        #expect(
            try MagicSnifferTests.identify(header + [9, 8, 16, 0]).type.description == "application/vnd.ms-excel")
        #expect(try MagicSnifferTests.identify(header + [1, 2, 3, 4]).type.description == "application/x-ole-storage")
    }

    @Test func loopsEnd() throws {
        var builder = OLEBuilder(["WordDocument"])
        builder.next = 1
        #expect(try OLEDirectory(ContentBytes(builder.bytes))?.names == ["WordDocument"])
        var bytes = OLEBuilder(["A", "B"]).bytes
        bytes.replaceSubrange(1024 + 2 * 128 + 72..<1024 + 2 * 128 + 76, with: [1, 0, 0, 0])
        #expect(try OLEDirectory(ContentBytes(bytes))?.names == ["A", "B"])
    }

    /// The directory is far inside the file. Its allocation table is too, after sectors that list allocation tables.
    @Test(arguments: [100_000, 500_000, 2_097_152])
    func findsADirectoryFarInside(_ far: Int) throws {
        let number = { (value: Int) in ZipBuilder.little(UInt64(value), 4) }
        let whole = OLEBuilder(["A", "B", "C", "D", "E", "WordDocument"]).bytes
        var header = Array(whole.prefix(512))
        header.replaceSubrange(0x30..<0x34, with: number(far))
        header.replaceSubrange(0x44..<0x48, with: number(1))
        let index = far / 128 - 109
        var table = [UInt8](repeating: 0xFF, count: 512)
        table.replaceSubrange(far % 128 * 4..<far % 128 * 4 + 4, with: number(far + 1))
        var file = SparseFile(size: Int64(far + 8) * 512)
        file[0] = header
        for list in 0...index / 127 {
            var sector = [UInt8](repeating: 0xFF, count: 512)
            sector.replaceSubrange(508..<512, with: number(list + 2))
            sector.replaceSubrange(index % 127 * 4..<index % 127 * 4 + 4, with: number(far + 5))
            file[Int64(list + 2) * 512] = sector
        }
        file[Int64(far + 1) * 512] = Array(whole[1024..<2048])
        file[Int64(far + 6) * 512] = table
        try file.read { content in
            let directory = try OLEDirectory(content)
            #expect(directory?.names.contains("WordDocument") == true)
            #expect(!content.isSpent)
            #expect(content.usage.reads < 64)
            #expect(content.usage.bytes < 256 << 10)
        }
    }

    @Test func survivesMutationsAndCuts() throws {
        var generator = SeededGenerator(seed: 3)
        let whole = OLEBuilder(["WordDocument", "1Table"]).bytes
        var found = 0
        for round in 0..<4_000 {
            let bytes = round < whole.count ? Array(whole.prefix(round)) : generator.mutation(of: whole)
            let content = ContentBytes(bytes)
            guard let directory = try OLEDirectory(content) else { continue }
            for name in directory.names { _ = try directory.start(of: name, in: content, count: 512) }
            if directory.names.contains("WordDocument") { found += 1 }
        }
        #expect(found > 500)
        #expect(found < 4_000)
    }
}
