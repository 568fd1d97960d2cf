import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// The library shows the current content under readable names.
@Suite struct LibraryTests {
    private let folder: TestFolder
    private let container: Container
    private var library: FilePath { folder["container/library"] }

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func update(rebuilding: Bool = false) throws -> LibraryReport {
        var librarian = try Librarian(opening: folder["container"]) { piece, _ in LibraryScene.name(of: piece) }
        return try librarian.run(rebuilding: rebuilding)
    }

    private func takeIn(_ id: String, _ content: String, name: String, path: FilePath? = nil) throws {
        try LibraryScene.takeIn(container, id, content, name: name, path: path)
    }

    private func content(_ path: String) throws -> String {
        String(decoding: try Disk.bytes(library.appending(path)), as: UTF8.self)
    }

    private var files: [String] { Disk.files(below: library) }

    @Test func holdsEachContentUnderItsName() throws {
        try takeIn("a1", "one", name: "Invoice.pdf")
        try takeIn("a2", "two", name: "invoice.PDF")
        try takeIn("a3", "three", name: "Invoice.pdf")
        #expect(try update().added == 3)
        #expect(
            files == ["documents/Invoice (2).PDF", "documents/Invoice (3).pdf", "documents/Invoice.pdf"].sorted()
                || files == ["documents/Invoice (3).pdf", "documents/Invoice.pdf", "documents/invoice (2).PDF"])
        #expect(try content("documents/Invoice.pdf") == "one")
        #expect(try content("documents/Invoice (3).pdf") == "three")
        #expect(try update() == LibraryReport(), "nothing changed since")
        let before = files
        let report = try update(rebuilding: true)
        #expect(report.rebuilt)
        #expect(files == before)
        #expect(Disk.names(in: folder["container"]).filter { $0.hasPrefix("library") } == ["library"])
    }

    /// The file, or the link itself, is as old as the source.
    @Test func filesKeepTheTimeOfTheirSource() throws {
        var proposal = PackageProposal.accepted("a1", ["one"], path: "/in/1")
        proposal.receipt.providers[0].modified = Timestamp(nanoseconds: 1_234_567_890_000_000_005)
        try LibraryScene.takeIn(container, proposal, ["one"])
        #expect(try update().added == 1)
        let file = try #require(files.first)
        #expect(try Array(Disk.stamp(library.appending(file))[2...3]) == [1_234_567_890, 5])
    }

    @Test func replacedContentLosesItsName() throws {
        try takeIn("a1", "one", name: "Invoice.pdf", path: "/in/1")
        _ = try update()
        try takeIn("a2", "two", name: "Invoice.pdf", path: "/in/1")
        let report = try update()
        #expect((report.added, report.removed) == (1, 1))
        #expect(files == ["documents/Invoice.pdf"])
        #expect(try content("documents/Invoice.pdf") == "two")
        _ = try update(rebuilding: true)
        #expect(files == ["documents/Invoice.pdf"])
    }

    @Test func aNumberThatIsFreeIsTakenAgain() throws {
        for number in 1...4 {
            try takeIn("a\(number)", "text \(number)", name: "Note.txt", path: FilePath("/in/\(number)"))
        }
        _ = try update()
        try takeIn("a5", "text 5", name: "Note.txt", path: "/in/2")
        try takeIn("a6", "text 6", name: "Note.txt")
        _ = try update()
        #expect(try content("documents/Note (2).txt") == "text 5")
        #expect(try content("documents/Note (5).txt") == "text 6")
        #expect(files.count == 5)
    }

    /// The second `a.txt` and the first `a (2).txt` have the same path.
    @Test(arguments: [
        ["a.txt", "A (2).txt", "a.txt"], ["a (2).txt", "a.txt", "a.txt"], ["a.txt", "a.txt", "a (2).txt"],
    ])
    func aNameThatLooksNumberedIsAName(_ names: [String]) throws {
        for (number, name) in names.enumerated() { try takeIn("a\(number)", "text \(number)", name: name) }
        #expect(try update().added == 3)
        #expect(files.count == 3)
        for path in files { #expect(try content(path).hasPrefix("text ")) }
        #expect(Set(try files.map(content)).count == 3)
        #expect(Set(files.map { $0.lowercased() }).count == 3)
        let before = files
        try takeIn("a3", "text 3", name: "a.txt")
        _ = try update()
        #expect(Set(files).subtracting(before).count == 1)
        _ = try update(rebuilding: true)
        #expect(files.count == 4)
    }

    /// A restored catalog lacks rows whose links exist.
    @Test func linksWithoutRowsAreTakenOver() throws {
        for number in 1...3 { try takeIn("a\(number)", "text \(number)", name: "Note.txt") }
        _ = try update()
        let manager = FileManager.default
        let path = { (name: String) in library.appending("documents/\(name)").string }
        try manager.moveItem(atPath: path("Note.txt"), toPath: path("other"))
        try manager.moveItem(atPath: path("Note (2).txt"), toPath: path("Note.txt"))
        try manager.moveItem(atPath: path("other"), toPath: path("Note (2).txt"))
        try SQL.run(folder["container"], "DELETE FROM shelf; DELETE FROM observer")
        #expect(try update().added == 0)
        #expect(files == ["documents/Note (2).txt", "documents/Note (3).txt", "documents/Note.txt"])
        #expect(try content("documents/Note (2).txt") == "text 1")
        #expect(
            try SQL.run(folder["container"], "SELECT path FROM shelf ORDER BY package") == [
                "documents/Note (2).txt", "documents/Note.txt", "documents/Note (3).txt",
            ])
    }

    /// A person's own file, and a file that a person changed, are never removed or overwritten.
    @Test func whatIsNotOursStays() throws {
        try takeIn("a1", "one", name: "Invoice.pdf", path: "/in/1")
        _ = try update()
        try folder.write("container/library/documents/Letter.txt", "mine")
        try FileManager.default.removeItem(atPath: library.appending("documents/Invoice.pdf").string)
        try folder.write("container/library/documents/Invoice.pdf", "changed")
        try takeIn("a2", "two", name: "Letter.txt")
        try takeIn("a3", "three", name: "Invoice.pdf", path: "/in/1")
        #expect(try update().kept == ["documents/Invoice.pdf"])
        let kept = ["documents/Invoice.pdf": "changed", "documents/Letter.txt": "mine"]
        for (path, text) in kept { #expect(try content(path) == text) }
        #expect(try content("documents/Letter (2).txt") == "two")
        #expect(try content("documents/Invoice (2).pdf") == "three")
        let before = files
        #expect(try update(rebuilding: true).kept == [])
        #expect(files == before)
        for (path, text) in kept { #expect(try content(path) == text) }
    }

    /// A person's file keeps its name, even if it has the bytes of a stored object.
    @Test func aRebuildChangesOnlyItsOwnFiles() throws {
        try takeIn("a1", "one", name: "1.txt")
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        let manager = FileManager.default
        try folder.write("container/library/own/copy.txt", "one")
        try manager.createDirectory(atPath: library.appending("empty").string, withIntermediateDirectories: false)
        try manager.moveItem(
            atPath: library.appending("documents/1.txt").string, toPath: library.appending("documents/mine.txt").string)
        try folder.write("container/library/documents/1.txt", "changed")
        let report = try update(rebuilding: true)
        #expect(report.rebuilt && report.kept == ["documents/1.txt"])
        #expect(
            files == [
                "documents/1 (2).txt", "documents/1.txt", "documents/2.txt", "documents/mine.txt", "own/copy.txt",
            ])
        #expect(Disk.names(in: library).contains("empty"))
        #expect(try ["documents/1.txt", "documents/1 (2).txt"].map(content) == ["changed", "one"])
    }

    /// A row may be damaged. Nothing outside of the folder is removed or made, and the content gets another name.
    @Test(arguments: [false, true], ["../victim", "documents/../../victim", "../new/file"])
    func noRowLeadsOutOfTheFolder(_ rebuilding: Bool, _ path: String) throws {
        try takeIn("a1", "one", name: "1.txt")
        _ = try update()
        let target = "objects/\(object("one").components.suffix(2).map(\.string).joined(separator: "/"))"
        try FileManager.default.createSymbolicLink(
            atPath: folder["container/victim"].string, withDestinationPath: target)
        try SQL.run(folder["container"], "UPDATE shelf SET path = '\(path)', key = '\(path)'")
        _ = try update(rebuilding: rebuilding)
        #expect(Disk.names(in: folder["container"]).contains("victim"))
        #expect(!Disk.names(in: folder["container"]).contains("new"))
        #expect(try SQL.run(folder["container"], "SELECT path FROM shelf") == ["documents/1.txt"])
        #expect(files == ["documents/1.txt"])
    }

    @Test func anInterruptedRebuildStartsAgain() throws {
        try takeIn("a1", "one", name: "1.txt")
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        try Observers(opening: folder["container"]).remove(Observers.library)
        try SQL.run(folder["container"], "DELETE FROM shelf WHERE path = 'documents/1.txt'")
        try FileManager.default.removeItem(atPath: library.appending("documents/1.txt").string)
        #expect(try update().rebuilt)
        #expect(files == ["documents/1.txt", "documents/2.txt"])
    }

    @Test func missingFilesAreMadeAgain() throws {
        try takeIn("a1", "one", name: "1.txt")
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        try FileManager.default.removeItem(atPath: library.appending("documents/1.txt").string)
        #expect(try update().added == 1)
        #expect(try content("documents/1.txt") == "one")
        try FileManager.default.removeItem(atPath: library.appending("documents").string)
        #expect(try update().added == 2)
        #expect(files == ["documents/1.txt", "documents/2.txt"])
    }

    @Test func progressEndsAtTheLastStep() throws {
        func steps(rebuilding: Bool) throws -> [LibraryProgress] {
            var steps: [LibraryProgress] = []
            let fits = { (_: String, _: MediaType) in true }
            _ = try Librarian.update(folder["container"], rebuilding: rebuilding, fits: fits) { steps.append($0) }
            return steps
        }
        try takeIn("a1", "one", name: "1.txt")
        try takeIn("a2", "two", name: "2.txt")
        #expect(try steps(rebuilding: false) == [LibraryProgress(done: 2, total: 2)])
        #expect(try steps(rebuilding: false).isEmpty)
        try takeIn("a3", "three", name: "3.txt")
        #expect(try steps(rebuilding: false) == [LibraryProgress(done: 1, total: 1)])
        let all = try steps(rebuilding: true)
        #expect(all == [LibraryProgress(done: 3, total: 6), LibraryProgress(done: 6, total: 6)])
    }

    private func object(_ content: String) -> FilePath { container.layout.object(Digest(of: content)) }

    /// A missing object is reported, and the run goes on. Content that was recorded as lost returns with its object.
    @Test func missingContentIsLeftOutUntilItReturns() throws {
        try takeIn("a1", "one", name: "1.txt")
        try FileManager.default.removeItem(atPath: object("one").string)
        try takeIn("a2", "two", name: "2.txt")
        for _ in 0..<2 {
            #expect(try update().missing.map(\.id) == ["a1"])
            #expect(files == ["documents/2.txt"])
        }
        let database = try CatalogDatabase(writing: folder["container/catalog.sqlite"], isNew: false)
        try database.write { try LostObjects.set($0, "gone", Digest(of: "one")) }
        try database.write { try $0.execute(sql: "DELETE FROM shelf WHERE package = 1") }
        #expect(try update().lost.map(\.id) == ["a1"], "a recorded loss is still one")
        try takeIn("a3", "one", name: "3.txt")
        #expect(try update().added == 2)
        #expect(files == ["documents/1.txt", "documents/2.txt", "documents/3.txt"])
        #expect(try content("documents/1.txt") == "one")
        #expect(
            try SQL.run(folder["container"], "SELECT subject FROM change WHERE kind = 'updated'") == ["a1", "a1"],
            "lost, and whole again")
    }

    /// Links to forgotten content are removed wherever they were moved. Other links stay.
    @Test func linksToForgottenContentGo() throws {
        try takeIn("a1", "one", name: "1.txt")
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        let link = "../../\(object("three").components.suffix(3).map(\.string).joined(separator: "/"))"
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: library.appending("documents/renamed.txt").string, withDestinationPath: link)
        try manager.createSymbolicLink(
            atPath: library.appending("documents/theirs.txt").string, withDestinationPath: "nowhere")
        #expect(try update().removed == 1)
        #expect(Set(Disk.names(in: library.appending("documents"))) == ["1.txt", "2.txt", "theirs.txt"])
    }

    /// The earlier run died after writing the rows and before making the files.
    @Test func completesAnInterruptedRun() throws {
        try takeIn("a1", "one", name: "1.txt")
        _ = try update()
        let seen = try #require(try Observers(opening: folder["container"]).cursor(Observers.library))
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        try Observers(opening: folder["container"]).set(Observers.library, seen)
        try FileManager.default.removeItem(atPath: library.appending("documents/2.txt").string)
        #expect(try update().added == 1)
        #expect(files == ["documents/1.txt", "documents/2.txt"])
    }

    @Test func theCommandNamesByClassYearAndType() throws {
        let program = Program(container: folder["other"])
        try folder.write("in/notes", "words\n")
        try folder.write("in/Caf\u{65}\u{301}.txt", "more words\n")
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        #expect(try program.run(["library"]).status == 0)
        let names = Disk.files(below: folder["other/library"]).compactMap { FilePath($0).lastComponent?.string }
        #expect(
            Set(names.map { Array($0.unicodeScalars) }) == [
                Array("notes.txt".unicodeScalars), Array("Caf\u{E9}.txt".unicodeScalars),
            ])
        #expect(try program.run(["library", "--json"]).output.contains(#""added":0"#))
    }

    /// Content without a name gets the name of its package's title.
    @Test func theCommandNamesUnnamedContentByItsTitle() throws {
        let program = Program(container: folder["other"])
        let link = { (page: String) in #"{"representations": [{"link": "https://example.org/\#(page)"}]}"# }
        try folder.share("in/1", title: "Rivers 2.0: AC/DC", link("1"))
        try folder.share("in/2", title: "Rivers 2.0: AC/DC", link("2"))
        try folder.share("in/3", link("3"))
        try folder.share("in/4", title: "Notes.TXT", #"{"representations": [{"text": "words"}]}"#)
        try folder.share("in/5", title: "Title", #"{"name": "own", "representations": [{"text": "words more"}]}"#)
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        #expect(try program.run(["library"]).status == 0)
        let names = Disk.files(below: folder["other/library"]).compactMap { FilePath($0).lastComponent?.string }
        #expect(
            Set(names) == [
                "Rivers 2.0: AC-DC.html", "Rivers 2.0: AC-DC (2).html", "example.org-3.html", "Notes.txt", "own.txt",
            ])
    }

    /// A link without a title has its address, because `link` would say nothing.
    @Test func theCommandNamesALinkByItsAddress() throws {
        let program = Program(container: folder["other"])
        #expect(try program.run(["ingest", "--no-deliver", "https://example.org/rivers/elbe"]).status == 0)
        #expect(try program.run(["library"]).status == 0)
        let names = Disk.files(below: folder["other/library"]).compactMap { FilePath($0).lastComponent?.string }
        #expect(names == ["example.org-rivers-elbe.html"])
    }

    @Test func theCommandNamesPackagesWhoseContentIsGone() throws {
        let program = Program(container: folder["other"])
        try folder.write("in/notes.txt", "words\n")
        let id = try program.ingest(folder["in"], options: ["--no-deliver"]).receipt.id
        let objects = folder["other/objects"]
        for file in Disk.files(below: objects) {
            try FileManager.default.removeItem(atPath: objects.appending(file).string)
        }
        let end = try program.run(["library"])
        #expect(end.status == 1)
        #expect(end.output.contains(id.prefix(8)) && end.output.contains("sluice verify --repair"))
        try FileManager.default.removeItem(atPath: folder["in/notes.txt"].string)
        #expect(try program.run(["verify", "--repair"]).status == 1)
        let after = try program.run(["library"])
        #expect(after.status == 1 && after.output.contains("lost") && after.output.contains(id.prefix(8)))
    }
}
