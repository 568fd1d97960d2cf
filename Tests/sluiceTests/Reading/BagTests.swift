import Foundation
import GroupContainer
import ShareModel
import Sniffing
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import Reading

/// `sluice ingest BAG` ingests the files that match the manifest, and names all others.
@Suite struct BagTests {
    private let folder: TestFolder
    private var bag: FilePath { folder["bag"] }
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    /// Writes payload files and their manifest.
    private func write(_ files: [String: String], _ algorithm: BagManifest.Algorithm = .sha256) throws {
        try folder.write("bag/bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
        for (path, text) in files { try folder.write("bag/data/\(path)", text) }
        try writeManifest(algorithm)
    }

    private func writeManifest(_ algorithm: BagManifest.Algorithm = .sha256) throws {
        let lines = try Disk.files(below: bag.appending("data")).map { path in
            let hasher = ManifestHasher(algorithm)
            try Disk.bytes(bag.appending("data/" + path)).withUnsafeBytes { hasher.update($0) }
            let encoded = String(decoding: BagPath.encode(path.utf8), as: UTF8.self)
            return "\(String(decoding: hasher.digits(), as: UTF8.self))  data/\(encoded)\n"
        }
        try folder.write("bag/\(algorithm.manifest)", lines.joined())
    }

    private func change(_ path: String, _ edit: (String) -> String) throws {
        let text = String(decoding: try Disk.bytes(bag.appending(path)), as: UTF8.self)
        try folder.write("bag/\(path)", edit(text))
    }

    private func ingest(expecting status: Int32) throws -> [String: Receipt] {
        let end = try program.ingest(bag, options: ["--no-deliver"])
        #expect(end.status == status, "\(end.output)\(end.errors)")
        let prefix = bag.string.utf8.count + 1
        return Dictionary(
            try end.receipts.map { (String(decoding: $0.source.path.utf8.dropFirst(prefix), as: UTF8.self), $0) }
        ) { first, _ in first }
    }

    @Test(arguments: BagManifest.Algorithm.allCases)
    func aSoundBagIsIngested(_ algorithm: BagManifest.Algorithm) throws {
        try write(["a.txt": "a", "sub/b.txt": "b", "100%.txt": "percent", "two\nlines.txt": "lf"], algorithm)
        let receipts = try ingest(expecting: 0)
        #expect(receipts.keys.sorted() == ["data/100%.txt", "data/a.txt", "data/sub/b.txt", "data/two\nlines.txt"])
        #expect(receipts.values.allSatisfy { $0.outcome == .accepted })
    }

    /// Other programs write manifests in these forms.
    @Test(
        arguments: [
            { $0.uppercased().replacing("DATA/A.TXT", with: "data/a.txt") }, { $0.replacing("\n", with: "\r\n") },
            { $0.replacing("  ", with: " *") }, { $0.replacing("  ", with: "\t") },
            { $0.replacing("data/", with: "./data/") },
            { $0 + $0 },
        ] as [@Sendable (String) -> String])
    func manifestsOfOtherProgramsAreRead(_ edit: @Sendable (String) -> String) throws {
        try write(["a.txt": "a"])
        try change("manifest-sha256.txt", edit)
        #expect(try ingest(expecting: 0).values.map(\.outcome) == [.accepted])
    }

    @Test(arguments: BagManifest.Algorithm.allCases)
    func aChangedFileFailsByName(_ algorithm: BagManifest.Algorithm) throws {
        try write(["a.txt": "a", "b.txt": "b"], algorithm)
        try folder.write("bag/data/a.txt", "A")
        let receipts = try ingest(expecting: 1)
        #expect(receipts["data/a.txt"]?.outcome == .failed)
        #expect(receipts["data/a.txt"]?.reason?.contains("does not match \(algorithm.manifest)") == true)
        #expect(receipts["data/b.txt"]?.outcome == .accepted)
    }

    /// The manifest is compared with what is stored. A write through a memory mapping may leave all times of a file as
    /// they were, above all in memory.
    @Test(arguments: BagManifest.Algorithm.allCases, [10, 300_000])
    func theStoredBytesAreChecked(_ algorithm: BagManifest.Algorithm, _ size: Int) throws {
        let folder = try TestFolder(inMemory: true)
        let bytes = [UInt8](repeating: 1, count: size)
        let file = try folder.write("bag/data/a.bin", bytes)
        let hasher = ManifestHasher(algorithm)
        bytes.withUnsafeBytes { hasher.update($0) }
        let line = (path: Array("data/a.bin".utf8), digest: hasher.digits()[...])
        let manifest = BagManifest(root: folder["bag"], algorithm: algorithm, lines: [line]) {
            ManifestHasher(algorithm)
        }
        let container = try Container.open(at: folder["container"])
        let stager = Stager(
            area: try container.objects.makeStagingArea(), sniffer: try MagicSniffer(), meter: ProgressMeter())
        let opener = SourceOpener(folder: folder["bag/data"], root: folder.path, bag: manifest)
        guard case .file(let source) = try opener.open(.path("a.bin")) else {
            throw Program.Failure("no file")
        }
        try Disk.changeThroughMapping(file)
        let error = #expect(throws: ReadingError.self) {
            try stager.stage(source, Candidate(file: .path("a.bin")), claims: TypeClaims())
        }
        #expect(error?.code == .changed)
    }

    @Test func aFileThatIsNotInTheManifestIsRefused() throws {
        try write(["a.txt": "a"])
        try folder.write("bag/data/stranger.txt", "s")
        let receipts = try ingest(expecting: 1)
        #expect(receipts["data/stranger.txt"]?.outcome == .failed)
        #expect(receipts["data/stranger.txt"]?.reason?.contains("not in manifest-sha256.txt") == true)
        #expect(receipts["data/a.txt"]?.outcome == .accepted)
    }

    @Test(arguments: [false, true])
    func aMissingFileIsNamed(_ hasFetch: Bool) throws {
        try write(["a.txt": "a", "b.txt": "b"])
        try FileManager.default.removeItem(atPath: bag.appending("data/a.txt").string)
        if hasFetch { try folder.write("bag/fetch.txt", "https://example.org/a.txt 1 data/a.txt\n") }
        let reason = try #require(try ingest(expecting: 1)["data/a.txt"]?.reason)
        #expect(reason.contains("no file is there") && reason.contains("fetch.txt") == hasFetch)
    }

    @Test func aLinkIsNoFileOfABag() throws {
        try write(["a.txt": "a", "b.txt": "b"])
        try FileManager.default.removeItem(atPath: bag.appending("data/a.txt").string)
        try FileManager.default.createSymbolicLink(
            atPath: bag.appending("data/a.txt").string, withDestinationPath: "b.txt")
        let end = try program.ingest(bag, options: ["--no-deliver"])
        #expect(end.status == 1)
        #expect(try end.receipts.contains { $0.outcome == .failed && $0.reason?.contains("a.txt is in") == true })
    }

    @Test(arguments: [
        "manifest-sha256.txt", "data/one.share/share.json", "data/one.share/note.txt", "data/Brief.pages/index.xml",
    ])
    func everyFileOfAPackageIsChecked(_ changed: String) throws {
        let share = #"{"version":1,"items":[{"attachments":[{"representations":[{"file":"note.txt"}]}]}]}"#
        let files = ["one.share/share.json": share, "one.share/note.txt": "note", "Brief.pages/index.xml": "<x/>"]
        try write(files)
        #expect(try ingest(expecting: 0).values.allSatisfy { $0.outcome == .accepted })
        try change(changed) {
            changed.hasPrefix("manifest") ? String(repeating: "0", count: 64) + $0.dropFirst(64) : $0 + " "
        }
        let failed = try ingest(expecting: 1).values.filter { $0.outcome == .failed }
        #expect(failed.count == 1)
        #expect(failed.first?.reason?.contains("does not match manifest-sha256.txt") == true)
    }

    @Test(arguments: [
        "zz  data/a.txt", "\(String(repeating: "0", count: 63))  data/a.txt",
        "\(String(repeating: "0", count: 64))  data/../a.txt", "\(String(repeating: "0", count: 64))  a.txt",
        "\(String(repeating: "0", count: 64))  data/", "\(String(repeating: "0", count: 64))  /data/a.txt",
        "\(String(repeating: "0", count: 64))  data//a.txt", "\(String(repeating: "0", count: 64))",
    ])
    func aMalformedManifestFailsTheBag(_ line: String) throws {
        try write(["a.txt": "a"])
        try change("manifest-sha256.txt") { $0 + line + "\n" }
        let receipts = try ingest(expecting: 1)
        #expect(receipts.values.map(\.outcome) == [.failed])
        #expect(receipts.values.first?.reason?.contains("line 2") == true)
    }

    /// The number of a broken line is the one that an editor shows.
    @Test(arguments: [("\n\nzz\n", "line 4"), ("\r\n\r\nzz\r\n", "line 4"), ("\r\rzz", "line 4"), ("zz", "line 2")])
    func blankLinesOfAManifestCount(_ lines: String, _ place: String) throws {
        try write(["a.txt": "a"])
        try change("manifest-sha256.txt") { $0 + lines }
        let reason = try #require(try ingest(expecting: 1).values.first?.reason)
        #expect(reason.contains("\(place) "), "\(reason)")
    }

    @Test func weakDigestsAreRefused() throws {
        try write(["a.txt": "a"])
        try FileManager.default.moveItem(
            atPath: bag.appending("manifest-sha256.txt").string, toPath: bag.appending("manifest-md5.txt").string)
        let receipts = try ingest(expecting: 1)
        #expect(receipts.values.map(\.outcome) == [.failed])
        #expect(receipts.values.first?.reason?.contains("manifest-sha512.txt") == true)
    }

    @Test(arguments: ["", "BagIt-Version: 1.0\n", "Tag-File-Character-Encoding: UTF-8\n", "\u{FEFF}BagIt"])
    func aBrokenDeclarationFailsTheBag(_ text: String) throws {
        try write(["a.txt": "a"])
        try folder.write("bag/bagit.txt", text)
        #expect(try ingest(expecting: 1).values.map(\.outcome) == [.failed])
    }

    @Test func aPayloadBehindALinkIsRefused() throws {
        try write(["a.txt": "a"])
        try FileManager.default.moveItem(atPath: bag.appending("data").string, toPath: folder["elsewhere"].string)
        try FileManager.default.createSymbolicLink(
            atPath: bag.appending("data").string, withDestinationPath: folder["elsewhere"].string)
        #expect(try ingest(expecting: 1).values.map(\.outcome) == [.failed])
    }

    @Test(.needs("Python's bagit: python3 -m pip install bagit", Bagit.isThere))
    func aBagOfTheReferenceImplementationIsIngested() throws {
        for name in ["a.txt", "sub/b.txt", "100%.txt", "a%25b.txt", "\u{fc}ber.txt"] {
            try folder.write("bag/\(name)", "content of \(name)")
        }
        try #require(try Bagit.make(bag))
        let receipts = try ingest(expecting: 0)
        #expect(receipts.count == 5)
        #expect(receipts.values.allSatisfy { $0.outcome == .accepted })
    }

    @Test func everyFileOfALargeManifestIsFound() {
        let lines = (0..<5_000).map { number in
            (path: Array("data/\(number)".utf8), digest: Digest(of: "\(number)").description.utf8.map { $0 }[...])
        }
        let manifest = BagManifest(root: "/bag", algorithm: .sha256, lines: lines.shuffled()) {
            ManifestHasher(.sha256)
        }
        for number in 0..<5_000 {
            #expect(manifest.digests(of: FilePath("data/\(number)")).map(Array.init) == [Array(lines[number].digest)])
        }
        #expect(manifest.digests(of: "data/5000").isEmpty && manifest.digests(of: "data").isEmpty)
    }
}
