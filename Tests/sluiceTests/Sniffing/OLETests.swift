import Formats
import ShareModel
import Sniffing
import Testing

@Suite("OLE compound files")
struct OLETests {
    /// A compound file of sectors of 512 bytes: header, allocation table, directory, which `next` follows.
    static func file(_ names: [String], next: UInt32 = 0xFFFF_FFFE) -> [UInt8] {
        var header = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 504)
        header[0x1E] = 9
        header[0x30] = 1
        var table = [UInt8](repeating: 0xFF, count: 512)
        table.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: next >> (8 * $0)) })
        var directory: [UInt8] = []
        for (index, name) in (["Root Entry"] + names).enumerated() {
            var entry = [UInt8](repeating: 0, count: 128)
            for (place, unit) in name.utf16.enumerated() { entry[place * 2] = UInt8(unit & 255) }
            entry[64] = UInt8(name.utf16.count * 2 + 2)
            // The root's child is the first; each is the right sibling of the one before.
            let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
            let right: [UInt8] = index > 0 && index < names.count ? [UInt8(index + 1), 0, 0, 0] : end
            entry.replaceSubrange(68..<80, with: end + right + (index == 0 ? [1, 0, 0, 0] : end))
            directory += entry
        }
        return header + table + directory + [UInt8](repeating: 0, count: max(0, 512 - directory.count))
    }

    @Test(arguments: [
        (["CompObj", "WordDocument"], "application/msword"), (["Workbook"], "application/vnd.ms-excel"),
        (["Pictures", "PowerPoint Document"], "application/vnd.ms-powerpoint"),
        (["__nameid_version1.0", "__properties_version1.0"], "application/vnd.ms-outlook"),
        (["Something"], "application/x-ole-storage"),
    ])
    func knowsDocuments(_ names: [String], _ type: String) throws {
        #expect(try OLEDirectory(ContentBytes(Self.file(names)))?.names == Set(names))
        #expect(try MagicSnifferTests.identify(Self.file(names)).type.description == type)
    }

    @Test func endsLoops() throws {
        let looped = try OLEDirectory(ContentBytes(Self.file(["WordDocument"], next: 1)))
        #expect(looped?.names == ["WordDocument"])
        var bytes = Self.file(["A", "B"])
        bytes[1024 + 2 * 128 + 72] = 1
        bytes.replaceSubrange(1024 + 2 * 128 + 73..<1024 + 2 * 128 + 76, with: [0, 0, 0])
        #expect(try OLEDirectory(ContentBytes(bytes))?.names == ["A", "B"])
    }

    @Test func survivesMutationsAndCuts() throws {
        var generator = SeededGenerator(seed: 3)
        let whole = Self.file(["WordDocument", "1Table"])
        var found = 0
        for round in 0..<4_000 {
            let bytes = round < whole.count ? Array(whole.prefix(round)) : generator.mutation(of: whole)
            if try OLEDirectory(ContentBytes(bytes))?.names.contains("WordDocument") == true { found += 1 }
        }
        #expect(found > 500)
        #expect(found < 4_000)
    }
}
