import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import GroupContainer

/// What sinks found names the files of the library.
@Suite struct LibraryFactsTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func update(rebuilding: Bool = false) throws -> LibraryReport {
        try Librarian.update(folder["container"], rebuilding: rebuilding) { _, _ in true }
    }

    private var files: [String] { Disk.files(below: folder["container/library"]) }

    private func takeIn(_ id: String, _ content: String, name: String, type: String = "image/jpeg") throws {
        var proposal = PackageProposal.accepted(id, [content], path: FilePath("/in/\(id)"), sinks: ["s"])
        proposal.receipt.providers[0].name = name
        proposal.receipt.providers[0].type = MediaType(type)
        try LibraryScene.takeIn(container, proposal, [content])
    }

    /// Ends the oldest open delivery.
    private func deliver(_ metadata: JSONValue, as outcome: DeliveryOutcome = .delivered) throws {
        let claimed = try container.claim(sink: "s", now: 0, limit: 1)
        let record = DeliveryRecord(
            id: claimed[0].id, sink: "s", outcome: outcome, attempts: 1, metadata: metadata)
        try container.deliveries.complete([
            DeliveryEnding(record: record, seq: claimed[0].seq, fence: claimed[0].fence, deaths: 0)
        ])
    }

    @Test func titlesAndDatesName() throws {
        try takeIn("a1", "one", name: "IMG_1.jpg")
        try takeIn("a2", "two", name: "scan1.pdf", type: "application/pdf")
        try takeIn("a3", "three", name: "IMG_3.jpg")
        try deliver(["date": "2019-07-04T12:31:05+02:00", "title": ["no text": 7]])
        try deliver(["title": "The barn", "date": "2017-03"])
        try deliver(["title": "Refused", "date": "2011"], as: .declined)
        #expect(try update().open == 0)
        #expect(
            files.filter { !$0.hasSuffix("/IMG_3.jpg") } == [
                "documents/2017/The barn.pdf", "images/2019/2019-07-04 12.31.05 IMG_1.jpg",
            ])
        #expect(files.count == 3 && !files.contains { $0.contains("2011") })
    }

    /// A duplicate's sink found nothing, because the sink has the content from an earlier package.
    @Test func aDuplicateHasTheFactsOfItsLeader() throws {
        try takeIn("a1", "one", name: "IMG_1.jpg")
        try deliver(["date": "2019-07-04"])
        try takeIn("a2", "one", name: "beach.jpg")
        #expect(try SQL.run(folder["container"], "SELECT outcome FROM delivery") == ["delivered", "duplicate"])
        _ = try update()
        #expect(files == ["images/2019/2019-07-04 IMG_1.jpg", "images/2019/beach.jpg"])
    }

    /// A name stays as long as its file. The report counts the packages that a rebuild may name better.
    @Test func aDeliveryThatEndsLaterRenamesNothing() throws {
        try takeIn("a1", "one", name: "IMG_1.jpg")
        #expect(try update().open == 1)
        let early = files
        try deliver(["date": "2019-07-04"])
        #expect(try update() == LibraryReport())
        #expect(files == early && early.count == 1)
        #expect(try update(rebuilding: true).open == 0)
        #expect(files == ["images/2019/2019-07-04 IMG_1.jpg"])
    }

    /// The facts about a group are those of its lead: a movie lies beside its still, and a sidecar beside its photo.
    @Test func aGroupFollowsItsLead() throws {
        var proposal = PackageProposal.accepted("a1", ["still", "movie", "sidecar", "notes"], sinks: ["s"])
        let names = [
            ("IMG_1.HEIC", "image/heic", 1), ("IMG_1.MOV", "video/quicktime", 2), ("IMG_1.xmp", "application/xml", 3),
            ("Notes.txt", "text/plain", 4),
        ]
        for (index, (name, type, year)) in names.enumerated() {
            proposal.receipt.providers[index].name = name
            proposal.receipt.providers[index].type = MediaType(type)
            proposal.receipt.providers[index].modified = Timestamp("201\(year)-06-01T12:00:00Z")
        }
        proposal.receipt.groups = [.init(rule: "", providers: [0, 1, 2]), .init(rule: "", providers: [3])]
        try LibraryScene.takeIn(container, proposal, ["still", "movie", "sidecar", "notes"])
        try deliver(["date": "2019-07-04T12:31:05"])
        _ = try update()
        #expect(
            files == [
                "documents/2014/Notes.txt", "images/2019/2019-07-04 12.31.05 IMG_1.HEIC",
                "images/2019/2019-07-04 12.31.05 IMG_1.MOV", "images/2019/2019-07-04 12.31.05 IMG_1.xmp",
            ])
    }

    @Test(arguments: ["no JSON", "[7]", #"{"date": 7, "title": {}}"#])
    func damagedMetadataNamesNothing(_ metadata: String) throws {
        try takeIn("a1", "one", name: "IMG_1.jpg")
        try deliver(["date": "2019-07-04"])
        try SQL.run(folder["container"], "UPDATE delivery SET metadata = '\(metadata)'")
        #expect(try update().added == 1)
        #expect(files.count == 1 && files[0].hasSuffix("/IMG_1.jpg"))
    }
}
