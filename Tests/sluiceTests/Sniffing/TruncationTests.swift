import Formats
import Foundation
import ShareModel
import Sniffing
import Testing

/// Content without its end has a warning, and whole content has none. Samples/types has small cases; these are too large
/// for the windows that identification reads.
@Suite struct TruncationTests {
    private static let header: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0] + [0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
    private static let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0]
    private static let end: [UInt8] = [0xFF, 0xD9]
    private static let table: [UInt8] = [0xFF, 0xC4, 0, 4, 1, 2]

    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        return generator.bytes(count)
    }

    /// Compressed data: a zero follows each 0xFF.
    private static func data(_ count: Int) -> [UInt8] { noise(count).flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] } }

    /// A box whose size has eight bytes.
    private static func wide(_ name: String, _ count: Int, stated: UInt64? = nil) -> [UInt8] {
        let size = withUnsafeBytes(of: (stated ?? UInt64(count + 16)).bigEndian, Array.init)
        return [0, 0, 0, 1] + Array(name.utf8) + size + [UInt8](repeating: 7, count: count)
    }

    private static func box(_ name: String, _ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(count + 8).bigEndian, Array.init) + Array(name.utf8)
            + [UInt8](repeating: 0, count: count)
    }

    private static let brand: [UInt8] =
        [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 0, 1] + Array("isommp41".utf8)

    static let rows: [(name: String, bytes: [UInt8], isCut: Bool)] = {
        let image = header + scan + data(200_000)
        let fragments = (0..<100).flatMap { _ in box("moof", 8) + box("mdat", 8) }
        return [
            ("jpeg", image + end, false), ("jpeg cut off", image, true),
            ("jpeg of two scans", image + table + scan + data(9_000) + end, false),
            ("jpeg cut off in its second scan", image + table + scan + data(9_000), true),
            ("jpeg cut off before its second scan", image + table, true),
            ("jpeg before other data", image + end + noise(180_000), false),
            ("jpeg before zeros", image + end + [UInt8](repeating: 0, count: 90_000), false),
            ("mp4", brand + box("moov", 40) + wide("mdat", 300_000), false),
            ("mp4 cut off", brand + box("moov", 40) + wide("mdat", 200_000, stated: 300_000), true),
            ("mp4 cut off in a box of 2 GiB", brand + box("moov", 40) + wide("mdat", 9_000, stated: 1 << 31), true),
            ("mp4 of an impossible size", brand + box("moov", 40) + wide("mdat", 9_000, stated: .max), false),
            ("mp4 in fragments", brand + box("moov", 40) + fragments, false),
            ("mp4 with its index behind", brand + wide("mdat", 300_000) + box("moov", 40), false),
            ("mp4 without its index", brand + wide("mdat", 300_000), true),
        ]
    }()

    @Test(arguments: rows.indices) func cutContentHasAWarning(_ index: Int) throws {
        let row = Self.rows[index]
        let found = try MagicSnifferTests.identify(row.bytes)
        #expect(["image/jpeg", "video/mp4"].contains(found.type.description), "\(row.name)")
        #expect(found.warnings.count { $0.hasPrefix("cut off: ") } == (row.isCut ? 1 : 0), "\(row.name): \(found)")
        #expect(found.evidence.allSatisfy { $0.source != "budget" }, "\(row.name)")
    }

    /// In the corpus, these files are only beginnings, and no other file has the warning.
    @Test(.enabled(if: Corpus.isPresent, "no corpus: set SLUICE_CORPUS to its folder"))
    func wholeFilesHaveNoWarning() throws {
        let beginnings: Set<String> = [
            "file-type/fixture/fixture.key", "file-type/fixture/fixture.numbers", "file-type/fixture/fixture.pages",
            "file-type/fixture/fixture-isomv2.mp4", "file-type/fixture/fixture-mp4v2.mp4",
            "file-type/fixture/fixture-isom.mp4", "file-type/fixture/fixture-moov.mov",
            "mimetype-go/testdata/pptx.pptx", "mimetype-go/testdata/app-metadata.apk",
            "mimetype-go/testdata/zipflinger.apk", "qpdf/qpdf/qtest/qpdf/issue-146.pdf",
        ]
        let sniffer = try MagicSniffer()
        var warned: Set<String> = []
        let folder = Corpus.folder.appending(path: "files")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.count > 500)
        for path in files {
            guard let bytes = try? Data(contentsOf: folder.appending(path: path)) else { continue }
            let found = try sniffer.identify(ContentBytes([UInt8](bytes)), claims: TypeClaims())
            if found.warnings.contains(where: { $0.hasPrefix("cut off: ") }) { warned.insert(path) }
        }
        #expect(warned.subtracting(beginnings) == [])
        #expect(beginnings.subtracting(warned) == [])
    }
}
