import Foundation
import ShareModel
import SystemPackage
import Testing

/// Lost content is named in the usual places, with the remedy.
@Suite struct LossTests {
    private let folder: TestFolder
    private var container: FilePath { folder["container"] }
    private var program: Program { Program(container: container) }

    init() throws { folder = try TestFolder() }

    private func findings(_ options: String..., expecting status: Int32) throws -> [CareFinding] {
        let end = try program.run(["verify", "--json"] + options)
        #expect(end.status == status, "\(end.output)\(end.errors)")
        return try end.messages.compactMap(\.finding)
    }

    private func listed(_ options: String...) throws -> [PackageEntry] {
        try program.run(["list", "--json"] + options).messages.compactMap(\.package)
    }

    /// The sink makes the product again; ingesting its package again would not.
    @Test func aLostProductIsMadeAgain() throws {
        let picture = try folder.write("in/turned.jpg", PictureFixtures.turned)
        let id = try program.ingest(picture).receipt.id
        let shown = try program.run(["show", "--json", id]).receipt
        let products = shown.providers.flatMap(\.deliveries).flatMap(\.products)
        let product = try #require(products.first { $0.role == "thumbnail" })
        try Damage.removed.strike(container.appending("objects/\("\(product.sha256)".prefix(2))/\(product.sha256)"))
        let remedy = "sluice deliver --retry \(id.prefix(12))"
        let found = try findings("--repair", expecting: 1)
        #expect(found.map(\.kind) == [.missing] && found.first?.packages.map(\.id) == [id])
        #expect(found.first?.what.contains("'thumbnail'") == true && found.first?.remedy.contains(remedy) == true)
        #expect(try findings(expecting: 1).map(\.remedy).allSatisfy { $0.contains(remedy) })
        #expect(try program.run(["show", id]).output.contains("sluice deliver --retry"))
        #expect(try listed("--failed").map(\.id) == [id])

        #expect(try program.run(["deliver", "--retry", String(id.prefix(12))]).status == 0)
        #expect(try findings(expecting: 0).isEmpty)
        #expect(try listed("--failed").isEmpty)
        #expect(try program.run(["deliver", "--retry", id]).status == 1, "nothing is lost any more")
    }

    @Test func aDamagedObjectIsOneFinding() throws {
        let letter = try folder.write("in/letter.txt", "words")
        _ = try program.ingest(letter)
        try FileManager.default.removeItem(atPath: letter.string)
        let object = container.object(of: "words")
        try Damage.changed.strike(object)
        try Damage.writable.strike(object)
        let found = try #require(try findings("--repair", expecting: 1).first)
        #expect(found.kind == .damaged && found.remedy.contains("quarantine/"))
        let after = try program.run(["verify"])
        #expect(after.status == 1 && !after.output.contains("next:"), "nothing is left to repair: \(after.output)")
        #expect(try findings(expecting: 1).map(\.kind) == [.lost])
    }

    @Test func aLostDescriptionComesBackWithItsShare() throws {
        try folder.share("in/one", title: "one", #"{"representations": [{"text": "words"}]}"#)
        let id = try program.ingest(folder["in"], options: ["--no-deliver"]).receipt.id
        let words = container.object(of: "words")
        let store = container.appending("objects")
        let objects = Disk.files(below: store).map { store.appending($0) }
        #expect(objects.count == 2)
        try Damage.removed.strike(try #require(objects.first { $0 != words }))
        _ = try findings("--repair", expecting: 1)
        #expect(try program.run(["show", id]).output.contains("take it in again"))
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).receipt.outcome == .duplicate)
        #expect(try findings(expecting: 0).isEmpty)
    }

    /// A repair reads files alone. The share is still there, and an ingest of it mends the loss.
    @Test func aRepairSaysThatItReadsNoShare() throws {
        try folder.share("in/one", #"{"representations": [{"text": "words"}]}"#)
        try folder.write("in/two.txt", "letters")
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        try FileManager.default.removeItem(atPath: folder["in/two.txt"].string)
        for text in ["words", "letters"] { try Damage.removed.strike(container.object(of: text)) }
        let remedies = Set(try findings("--repair", expecting: 1).map(\.remedy))
        let end = "; take the same content in again, and it is whole"
        #expect(
            remedies == [
                "it was no file of its own, so a repair cannot read it\(end)",
                "no source has its content any more\(end)",
            ])
    }

    @Test func aListMarksLostContent() throws {
        try folder.write("in/lost.txt", "lost")
        try folder.write("in/whole.txt", "whole")
        let ids = try program.ingest(folder["in"], options: ["--no-deliver"]).receipts.map(\.id)
        #expect(try listed().map(\.lost) == [nil, nil])
        try FileManager.default.removeItem(atPath: folder["in/lost.txt"].string)
        try Damage.removed.strike(container.object(of: "lost"))
        _ = try findings("--repair", expecting: 1)
        #expect(try listed().map(\.lost) == [1, nil])
        #expect(try listed("--failed").map(\.id) == [ids[0]])
        let lines = try program.run(["list"]).output.split(separator: "\n")
        #expect(lines.map { $0.contains("1 object is lost") } == [true, false])
    }

    @Test func aReplacedFailureIsNoLongerListed() throws {
        try folder.share("in/one", #"{"representations": [{"file": "gone.txt"}]}"#)
        #expect(try program.ingest(folder["in"]).status == 1)
        #expect(try listed("--failed").count == 1)
        try folder.write("in/one.share/gone.txt", "here")
        #expect(try program.ingest(folder["in"]).status == 0)
        #expect(try listed("--failed").isEmpty)
        #expect(try listed("--outcome", "failed").count == 1)
    }

    @Test func aLostObjectFolderIsReportedObjectByObject() throws {
        try folder.write("in/a.txt", "a")
        try folder.write("in/b.txt", "b")
        _ = try program.ingest(folder["in"], options: ["--no-deliver"])
        let count = Disk.files(below: container.appending("objects")).count
        try FileManager.default.removeItem(atPath: container.appending("objects").string)
        let found = try findings(expecting: 1)
        #expect(found.count == count && found.allSatisfy { $0.kind == .missing })
        try folder.write("container/objects", "no folder")
        #expect(try findings(expecting: 1).map(\.kind).contains(.strange))
    }

    @Test func anIdentifierMayBeInUpperCase() throws {
        let id = try program.ingest(folder.write("in/a.txt", "a")).receipt.id
        #expect(try program.run(["show", "--json", id.uppercased()]).receipt.id == id)
    }
}
