import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Reading

/// What the manifest of the tag files leaves out is named, and not read.
@Suite struct BagRecordsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The records of the bag as it is.
    private func records() throws -> BagRecords {
        let root = try Directory(folder.path)
        let tags = try #require(try Bag.tags(folder.path, root, ReadingLimits()))
        return BagRecords(tags, limits: ReadingLimits())
    }

    private func list(_ paths: String...) throws {
        let lines = try paths.map { path in "\(Digest(of: try Disk.bytes(folder[path])))  \(path)\n" }
        try folder.write("tagmanifest-sha256.txt", lines.joined())
    }

    private func make(_ paths: String...) throws {
        for path in paths { try folder.write(path, "{}") }
    }

    private func unlisted() throws -> String? { try records().unlistedFailures?.message }

    /// A manifest that has some of the failures may lack others.
    @Test func theFirstFailureThatIsNotListedIsNamed() throws {
        try make("failures/a.json", "failures/b.json", "failures/c.json", "failures/d.json")
        try list("failures/a.json", "failures/c.json")
        let message = try #require(try unlisted())
        let words = "is not in tagmanifest-sha256.txt of the bag; get the bag again"
        #expect(["b", "d"].contains { message.contains("failures/\($0).json \(words)") }, "\(message)")
        try list("failures/a.json", "failures/b.json", "failures/d.json")
        #expect(try unlisted()?.contains("failures/c.json is not in") == true)
        try list("failures/a.json", "failures/b.json", "failures/c.json", "failures/d.json")
        #expect(try unlisted() == nil)
        try folder.write("tagmanifest-sha256.txt", "")
        #expect(try unlisted()?.contains(".json is not in tagmanifest-sha256.txt of the bag") == true)
    }

    /// A manifest lists files only.
    @Test func aFolderStandsForItsFiles() throws {
        try make("failures/old/a.json")
        try list("failures/old/a.json")
        #expect(try unlisted() == nil)
        try folder.write("tagmanifest-sha256.txt", "")
        #expect(try unlisted()?.contains("failures/old is not in") == true)
    }

    /// Nothing is lost with a folder that is missing or empty. A link is not followed.
    @Test func aBagMayHaveNoFailures() throws {
        try make("receipts/a.json")
        try list("receipts/a.json")
        #expect(try unlisted() == nil)
        try FileManager.default.createDirectory(
            atPath: folder["failures"].string, withIntermediateDirectories: false)
        #expect(try unlisted() == nil)
        try FileManager.default.removeItem(atPath: folder["failures"].string)
        try FileManager.default.createSymbolicLink(
            atPath: folder["failures"].string, withDestinationPath: "receipts")
        #expect(try unlisted()?.contains("failures is not in") == true)
    }

    /// Without any manifest of the tag files, it is the bag that lacks something.
    @Test func aMissingTagManifestIsNamed() throws {
        try make("receipts/a.json", "failures/b.json")
        let missing = "cannot be checked: the bag has no tagmanifest-sha256.txt or tagmanifest-sha512.txt; get the bag"
        #expect(try unlisted()?.contains("failures/b.json \(missing)") == true)
        let bag = try records()
        let error = #expect(throws: ReadingError.self) { try bag.receipt("a") }
        #expect(error?.message.contains("receipts/a.json \(missing)") == true)
        #expect(try bag.receipt("none") == nil)
    }

    /// The message names the manifest that the bag has.
    @Test func theOtherTagManifestIsNamed() throws {
        try make("receipts/a.json")
        try folder.write("tagmanifest-sha512.txt", "")
        let bag = try records()
        let error = #expect(throws: ReadingError.self) { try bag.receipt("a") }
        #expect(error?.message.contains("receipts/a.json is not in tagmanifest-sha512.txt of the bag") == true)
    }
}
