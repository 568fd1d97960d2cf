import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// `sluice export` writes a bag that validators accept. Ingesting the bag gives the same packages.
@Suite struct ExportTests {
    private let folder: TestFolder
    private var bag: FilePath { folder["bag"] }
    private var program: Program { Program(container: folder["container"]) }

    init() throws { folder = try TestFolder() }

    private func export(_ ids: String..., expecting status: Int32 = 0) throws -> Exported {
        let end = try program.run(["export", "--json", bag.string] + ids)
        #expect(end.status == status, "\(end.errors)")
        return try #require(try end.messages.last?.exported)
    }

    private func takeIn(_ names: [String]) throws {
        for name in names { try folder.write("in/\(name)", "content of \(name)") }
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
    }

    /// The output of `list`, without times and places.
    private static func packages(_ program: Program) throws -> [String: PackageEntry] {
        let entries = try program.run(["list", "--json"]).messages.compactMap(\.package)
        return Dictionary(
            uniqueKeysWithValues: entries.filter { $0.outcome != .failed }.map { entry in
                var entry = entry
                entry.received = ""
                entry.source = Receipt.Source(kind: .other, path: "-")
                return (entry.id, entry)
            })
    }

    /// Every line of a manifest is right, and every file has a line.
    private func checkManifests() throws {
        for (manifest, isPayload) in [("manifest-sha256.txt", true), ("tagmanifest-sha256.txt", false)] {
            let lines = String(decoding: try Disk.bytes(bag.appending(manifest)), as: UTF8.self).split(separator: "\n")
            for line in lines {
                let path = String(line.dropFirst(66))
                #expect(Digest(of: try Disk.bytes(bag.appending(path))).description == line.prefix(64), "\(path)")
            }
            let files = Disk.files(below: bag).filter { $0.hasPrefix("data/") == isPayload }
            #expect(lines.map { String($0.dropFirst(66)) }.sorted() == files.filter { $0 != "tagmanifest-sha256.txt" })
        }
    }

    /// An earlier version took such a name for safe. Its catalogs are still exported into the bag's folder alone.
    @Test(arguments: [
        "x/../../../../../outside", "x/\u{E0020}../\u{E0020}../\u{E0020}../\u{E0020}../outside", "/outside",
    ])
    func aNameNeverLeadsOutOfTheBag(_ name: String) async throws {
        let container = try Container.open(at: folder["container"])
        let area = try container.objects.makeStagingArea()
        try container.store([area.stage(Array("one".utf8)), area.stage(Array("two".utf8))])
        var proposal = PackageProposal.accepted("a1", ["one", "two"], path: "/in/a1")
        for index in [0, 1] { proposal.receipt.providers[index].name = name }
        var single = PackageProposal.accepted("a2", ["one"], path: "/in/a2")
        single.receipt.providers[0].name = name
        _ = try container.catalog.commit([proposal, single])
        let before = Disk.files(below: folder.path).filter { !$0.hasPrefix("container/") }
        #expect(try export().packages == 2)
        let new = Disk.files(below: folder.path).filter { !$0.hasPrefix("container/") && !before.contains($0) }
        #expect(new.filter { $0.hasSuffix("outside") }.count == 3)
        #expect(new.allSatisfy { $0.hasPrefix("bag/") })
    }

    /// The samples have shares of every kind, partial and replaced ones among them.
    @Test func anExportedContainerIsIngestedUnchanged() throws {
        for sample in SampleShare.all { _ = try sample.prepare(in: folder) }
        try folder.write("files/%41 100%.txt", "a percent sign")
        try folder.write("files/movie.part", "named, so taken in")
        try folder.write("files/\u{65}\u{301}t\u{e9}.txt", "two normal forms")
        for version in 1...3 {
            try folder.share(
                "version", id: "one", title: "!\(version)", #"{"representations": [{"text": "\#(version)"}]}"#)
            _ = try program.ingest(folder["version.share"], options: ["--no-deliver"])
        }
        _ = try program.ingest(
            folder.path, folder["files/movie.part"], options: ["--no-deliver"])
        _ = try program.run(
            ["ingest", "--no-deliver", "-"],
            input: #"{"version": 1, "items": [{"title": "piped", "text": "by pipe"}]}"#)
        let before = try Self.packages(program)
        let sum = try export()
        #expect(sum.packages == before.count && before.count > SampleShare.all.count / 2)
        #expect(sum.receiptsAlone > 0 && sum.leftOut == 0)
        try checkManifests()
        let again = Program(container: folder["again"])
        _ = try again.run(["ingest", "--no-deliver", "--quiet", bag.string])
        let after = try Self.packages(again)
        #expect(Set(after.keys) == Set(before.keys))
        for (id, entry) in before { #expect(after[id] == entry) }
    }

    @Test(.needs("Python's bagit: python3 -m pip install bagit", Bagit.isThere))
    func theReferenceValidatorAcceptsIt() throws {
        try takeIn(["letter.txt", "100%.txt", "sub/letter.txt", "\u{fc}ber.txt"])
        _ = try export()
        #expect(try Bagit.validate(bag))
        try folder.write("bag/data/packages/letter.txt", "tampered with")
        #expect(try !Bagit.validate(bag), "the validator refuses a changed file")
    }

    /// The files of the bag are as old as those that came in, so an ingest of the bag gives the same times.
    @Test func filesKeepTheTimeOfTheirSource() throws {
        try folder.write("in/letter.txt", "a letter")
        try folder.share(
            "in/one", #"{"representations": [{"file": "note.txt"}]}"#, #"{"representations": [{"text": "t"}]}"#)
        try folder.write("in/one.share/note.txt", "a note")
        for (second, name) in ["letter.txt", "one.share/note.txt"].enumerated() {
            let time = Date(timeIntervalSince1970: 1_000_000_000 + Double(second))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder["in/\(name)"].string)
        }
        func times(_ receipts: [Receipt]) -> [String?] { receipts.flatMap(\.providers).map(\.modified?.description) }
        let taken = try program.ingest(folder["in"], options: ["--no-deliver"]).receipts
        #expect(times(taken) == ["2001-09-09T01:46:40Z", "2001-09-09T01:46:41Z", nil])
        _ = try export()
        #expect(try Disk.stamp(bag.appending("data/packages/letter.txt"))[2] == 1_000_000_000)
        let again = Program(container: folder["again"])
        let back = try again.ingest(bag, options: ["--no-deliver"]).receipts
        #expect(times(back) == times(taken))
    }

    @Test func equalNamesDoNotCollide() throws {
        try takeIn(["1/letter.txt", "2/letter.txt", "3/letter"])
        #expect(try export().files == 3)
        let names = Disk.names(in: folder["bag/data/packages"])
        #expect(names.count == 3 && names.contains("letter.txt") && names.contains("letter"))
        try checkManifests()
    }

    @Test func aNameThatIsNotUTF8BecomesReadable() throws {
        let name = FilePath(bytes: Array(folder["in/"].bytes) + Array("/caf".utf8) + [0xE9] + Array(".txt".utf8))
        try folder.write("in/.keep", "")
        let file = try FileDescriptor.open(name, .writeOnly, options: .create, permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll("latin".utf8) }
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        #expect(try export().files == 1)
        try checkManifests()
        let receipts = Disk.names(in: folder["bag/receipts"])
        let receipt = try JSONDecoder().decode(
            Receipt.self, from: Data(try Disk.bytes(folder["bag/receipts"].appending(receipts[0]))))
        #expect(receipt.source.pathBase64 != nil)
    }

    @Test func packagesCanBeChosenByTheirIDs() throws {
        try takeIn(["a.txt", "b.txt"])
        let id = try #require(try program.run(["list", "--json"]).messages.first?.package?.id)
        #expect(try export(String(id.prefix(10))).files == 1)
        #expect(Disk.names(in: folder["bag/receipts"]) == ["\(id).json"])
    }

    @Test(arguments: [Damage.removed, .changed, .shortened, .folder])
    func aPackageWithLostContentIsLeftOutAndNamed(_ damage: Damage) throws {
        try takeIn(["a.txt", "b.txt"])
        try damage.strike(folder["container"].object(of: "content of a.txt"))
        let end = try program.run(["export", "--json", bag.string])
        #expect(end.status == 1)
        #expect(try end.messages.compactMap(\.finding).flatMap(\.packages).map(\.name) == ["a.txt"])
        #expect(Disk.names(in: folder["bag/data/packages"]) == ["b.txt"])
        try checkManifests()
    }

    /// A folder that tells two equal names apart is called `2` as well.
    @Test(arguments: [["2", "2"], ["a", "a", "2"], ["a", "2", "a", "a", "3"]])
    func attachmentsMayBeCalledByNumbers(_ names: [String]) throws {
        let attachments = names.enumerated().map { place, name in
            let data = Data("data \(place)".utf8).base64EncodedString()
            return #"{"name": "\#(name)", "representations": [{"data": "\#(data)"}]}"#
        }
        try folder.write(
            "in/one.share/share.json",
            #"{"version": 1, "items": [{"attachments": [\#(attachments.joined(separator: ", "))]}]}"#)
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        let sum = try export()
        #expect(sum.packages == 1 && sum.files == names.count + 1)
        let id = try #require(try program.run(["list", "--json"]).messages.first?.package?.id)
        let again = Program(container: folder["again"])
        #expect(try again.ingest(bag, options: ["--no-deliver"]).receipt.id == id)
    }

    @Test func aLeftOutShareLeavesNoFolder() throws {
        try folder.share(
            "in/one", #"{"representations": [{"text": "kept"}]}"#, #"{"representations": [{"text": "lost"}]}"#)
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        try Damage.removed.strike(folder["container"].object(of: "lost"))
        let sum = try export(expecting: 1)
        #expect(sum.leftOut == 1 && sum.receiptsAlone == 0)
        #expect(Disk.names(in: bag.appending("data")).isEmpty)
    }

    /// The description of a share names its text, so the loss is found before a file is written. No package failed.
    @Test func aLostTextIsNoFailedPackage() throws {
        try folder.share("in/one", #"{"representations": [{"text": "lost"}]}"#)
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        try Damage.removed.strike(folder["container"].object(of: "lost"))
        let end = try program.run(["export", bag.string])
        #expect(end.status == 1 && end.output.contains("1 package left out"), "\(end.output)")
        #expect(end.output.contains("in one.share (") && end.output.contains("or take the same content in again; then"))
        #expect(!end.output.contains("of failed packages"), "\(end.output)")
    }

    @Test func nothingIsOverwritten() throws {
        try takeIn(["a.txt"])
        try folder.write("bag/mine.txt", "mine")
        let end = try program.run(["export", bag.string])
        #expect(end.status == 2 && end.errors.contains("empty"))
        #expect(Disk.files(below: bag) == ["mine.txt"])
        #expect(try program.run(["export", folder["container/bag"].string]).status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder["container/bag"].string))
        try FileManager.default.createSymbolicLink(
            atPath: folder["way"].string, withDestinationPath: folder["container/objects"].string)
        for place in ["way/bag", "way/new/bag", "way"] {
            #expect(try program.run(["export", folder[place].string]).status == 2)
        }
        #expect(Disk.names(in: folder["container/objects"]).allSatisfy { $0.count == 2 })
    }

    /// A partial bag must not look complete.
    @Test func anUnknownNameLeavesNoBag() throws {
        try takeIn(["a.txt"])
        let end = try program.run(["export", bag.string, "ffff"])
        #expect(end.status == 1 && end.errors.contains("No bag was written"), "\(end.errors)")
        #expect(!FileManager.default.fileExists(atPath: bag.appending("bagit.txt").string))
    }
}

@Suite struct BagPathTests {
    @Test(arguments: [
        ("plain/name.txt", "plain/name.txt"), ("100%", "100%25"), ("a\nb", "a%0Ab"), ("a\r\nb", "a%0D%0Ab"),
        ("%0A", "%250A"),
    ])
    func pathsAreWrittenOnOneLine(_ path: String, _ text: String) {
        #expect(BagPath.encode(path.utf8) == Array(text.utf8))
        #expect(BagPath.decode(Array(text.utf8)) == Array(path.utf8))
    }

    @Test(arguments: ["50% off", "a%20b", "%", "%2", "%zz"])
    func otherPercentSignsStandForThemselves(_ text: String) {
        #expect(BagPath.decode(Array(text.utf8)) == Array(text.utf8))
    }

    @Test func digitsMayBeOfEitherCase() { #expect(BagPath.decode(Array("a%0ab%0d".utf8)) == Array("a\nb\r".utf8)) }
}

/// The reference implementation of BagIt, if it is installed.
enum Bagit {
    static let isThere = (try? run(["-c", "import bagit"])) == 0

    static func validate(_ bag: FilePath) throws -> Bool { try run(["-m", "bagit", "--validate", bag.string]) == 0 }

    /// Turns a folder into a bag.
    static func make(_ folder: FilePath) throws -> Bool {
        try run(["-m", "bagit", "--sha256", "--sha512", "--md5", folder.string]) == 0
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
