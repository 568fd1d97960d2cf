import Foundation
import ShareModel
import SystemPackage
import Testing

/// Sources and sinks that are missing or changed when they are needed.
@Suite struct LateSinkTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(container: folder["container"])
    }

    /// The program alone, without its sinks.
    private func bareProgram() throws -> Program {
        let alone = folder["alone/sluice"]
        try FileManager.default.createDirectory(atPath: folder["alone"].string, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Program.folder.appending(path: "sluice").path, toPath: alone.string)
        var bare = program
        bare.executable = alone
        return bare
    }

    /// A sink that comes later gets a package under the title that a person gave it.
    @Test func aTitledPackageIsDeliveredLater() throws {
        let file = try folder.write("in/note.txt", "a note")
        let bare = try bareProgram()
        #expect(try bare.ingest(file).receipt.outcome == .accepted)
        let titled = try bare.run(["ingest", "--json", "--title", "T", file.string]).receipt
        let second = try program.ingest(folder["in"]).receipt
        #expect(second.packageID == titled.id && second.item?.title == "T")
        #expect(second.providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
        #expect(try program.run(["show", "--json", titled.id]).receipt.providers.flatMap(\.deliveries).count == 1)
    }

    /// Without sinks, a run ingests a file with a warning. A later run with sinks delivers it.
    @Test func aPackageIngestedWithoutSinksIsDeliveredLater() throws {
        let file = try folder.write("in/note.txt", "a note")
        let bare = try bareProgram()
        let first = try bare.ingest(file).receipt
        #expect(first.outcome == .accepted)
        #expect(first.providers.flatMap(\.deliveries).isEmpty)
        #expect(first.warnings.contains { $0.contains("no sink") })

        let second = try program.ingest(file).receipt
        #expect(second.outcome == .duplicate)
        #expect(second.providers.flatMap(\.deliveries).map(\.outcome) == [.delivered])
    }

    @Test func theContainerIsNotIngestedIntoItself() throws {
        try folder.write("in/note.txt", "a note")
        let inside = Program(container: folder["in/here"])
        for _ in 0..<2 {
            let receipts = try inside.ingest(folder["in"]).receipts
            let skipped = receipts.filter { $0.outcome == .skipped }
            #expect(skipped.map { FilePath($0.source.path).lastComponent } == ["here"])
            #expect(receipts.count == 2)
        }
    }

    /// A missing path makes the run fail, and leaves no entry in the container.
    @Test func aMistypedPathLeavesNoEntry() throws {
        let end = try program.ingest(folder["nowhere"])
        #expect(end.status == 1)
        #expect(try end.receipt.outcome == .failed)
        #expect(try program.run(["list", "--json"]).output.isEmpty)
    }

    /// The edited text is stored although an attachment is missing.
    @Test func anEditedPartialPackageIsStored() throws {
        let item = { (text: String) in
            #"{"version":1,"items":[{"text":"\#(text)","attachments":[{"representations":[{"file":"1.txt"}]},"#
                + #"{"representations":[{"file":"2.txt"}]}]}]}"#
        }
        try folder.write("in/x.share/1.txt", "one")
        try folder.write("in/x.share/2.txt", "two")
        try folder.write("in/x.share/share.json", item("old"))
        #expect(try program.ingest(folder["in"]).receipt.outcome == .accepted)
        try FileManager.default.removeItem(atPath: folder["in/x.share/2.txt"].string)
        try folder.write("in/x.share/share.json", item("new"))
        let edited = try program.ingest(folder["in"]).receipt
        #expect(edited.outcome == .partial)
        #expect(edited.supersedes != nil)
        #expect(edited.item?.text == "new")
    }

    /// The sender removed the missing part from the share; the deliveries of the rest are still listed.
    @Test func aPackageWithoutItsMissingPartIsComplete() throws {
        try folder.share(
            "in/x", #"{"representations":[{"file":"gone.txt"}]}"#, #"{"representations":[{"text":"two"}]}"#)
        #expect(try program.ingest(folder["in"]).receipt.outcome == .partial)
        try folder.share("in/x", #"{"representations":[{"text":"two"}]}"#)
        let whole = try program.ingest(folder["in"]).receipt
        #expect(whole.outcome == .accepted)
        #expect(whole.supersedes != nil)
        #expect(whole.providers.flatMap(\.deliveries).count == 1)
    }
}
