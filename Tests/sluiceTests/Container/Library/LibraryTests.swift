import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// The current content under readable names.
@Suite struct LibraryTests {
    private let folder: TestFolder
    private let container: Container
    private var library: FilePath { folder["container/library"] }

    init() throws {
        folder = try TestFolder()
        container = try Container(opening: folder["container"])
    }

    /// Names as they come, all in one folder.
    private func update(rebuilding: Bool = false) throws -> LibraryReport {
        var librarian = container.librarian { piece in
            let name = FilePath(piece.name)
            return LibraryName(
                folders: ["documents"], stem: name.stem ?? "", ending: name.extension.map { ".\($0)" } ?? ""
            ) { $0.lowercased() }
        }
        return try librarian.run(rebuilding: rebuilding)
    }

    /// Takes in a content under a name, object and rows.
    private func takeIn(_ id: String, _ content: String, name: String, path: FilePath? = nil) throws {
        let area = try container.objects.makeStagingArea()
        let file = try area.makeFile()
        try Array(content.utf8).withUnsafeBytes { try file.append($0) }
        try container.objects.commit([file.finish()])
        var proposal = PackageProposal.accepted(id, [content], path: path ?? FilePath("/in/\(id)"))
        proposal.receipt.providers[0].name = name
        _ = try container.catalog.commit([proposal])
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

    @Test func whatWasReplacedGivesItsNameUp() throws {
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

    /// Neither a file of somebody else's nor one that somebody changed is removed or overwritten.
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
        let report = try update(rebuilding: true)
        let texts = try files.map(content)
        #expect(texts.sorted() == ["changed", "mine", "three", "two"])
        #expect(try report.kept.map(content).sorted() == ["changed", "mine"])
    }

    /// Rows are there, and their files are not: a run died between the two.
    @Test func completesWhatAnEarlierRunBegan() throws {
        try takeIn("a1", "one", name: "1.txt")
        _ = try update()
        let seen = try #require(try container.observers.cursor(Librarian.observer))
        try takeIn("a2", "two", name: "2.txt")
        _ = try update()
        try container.observers.set(Librarian.observer, seen)
        try FileManager.default.removeItem(atPath: library.appending("documents/2.txt").string)
        #expect(try update().added == 1)
        #expect(files == ["documents/1.txt", "documents/2.txt"])
    }

    /// A run died at each step of the exchange of the old library for the new one.
    @Test(arguments: 0..<3)
    func finishesAnExchange(_ step: Int) throws {
        try takeIn("a1", "one", name: "1.txt")
        _ = try update()
        try folder.write("container/library/mine.txt", "mine")
        let database = try CatalogDatabase(writing: folder["container/catalog.sqlite"], isNew: false)
        try database.write { try MetaRow.set($0, Librarian.swapping, "due") }
        let manager = FileManager.default
        let new = folder["container/library.new"].string
        let old = folder["container/library.old"].string
        try manager.copyItem(atPath: library.string, toPath: new)
        try manager.removeItem(atPath: new + "/mine.txt")
        if step > 0 { try manager.moveItem(atPath: library.string, toPath: old) }
        if step > 1 { try manager.moveItem(atPath: new, toPath: library.string) }
        #expect(try update().kept == ["mine.txt"])
        #expect(files == ["documents/1.txt", "mine.txt"])
        #expect(Disk.names(in: folder["container"]).filter { $0.hasPrefix("library") } == ["library"])
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
}
