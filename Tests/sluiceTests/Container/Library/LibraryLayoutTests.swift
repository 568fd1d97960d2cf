import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// The folders of the layout by source.
@Suite struct SourceFolderTests {
    static let cases: [(PackageSource.Kind, String, String)] = [
        (.file, "/home/ada/Downloads/Invoices/a.pdf", "Downloads/Invoices"),
        (.file, "/Users/ada/Downloads/a.pdf", "Downloads"), (.file, "/root/in/a.pdf", "in"),
        (.file, "/media/usb/DCIM/IMG_1.jpg", "media/usb/DCIM"),
        (.group, "/home/ada/Photos/IMG_1.HEIC", "Photos"), (.bundle, "/home/ada/Letters/Letter.pages", "Letters"),
        (.share, "/home/ada/in/Trip.share", "in/Trip.share"), (.container, "/home/ada/in/a.zip", "in/a.zip"),
        // No folder.
        (.file, "/home/ada/a.pdf", ""), (.file, "/a.pdf", ""), (.file, "a.pdf", ""), (.file, "/home", ""),
        (.link, "example.org/a/b", ""), (.standardInput, "-", ""), (.submitted, "uploads/1", ""), (.other, "-", ""),
        // Hostile ones.
        (.file, "/in/../../etc/a.pdf", "in/etc"), (.file, "../../a.pdf", ""),
        (.file, "/in/.hidden/./a.pdf", "in/hidden"),
        (.file, "/in/a\u{202E}b\u{7}/... /a.pdf", "in/ab/untitled"), (.file, "/in/Cafe\u{301}/a.pdf", "in/Caf\u{E9}"),
        (.file, "/unfiled/links/a.pdf", "unfiled_/links"), (.file, "/UNFILED/a.pdf", "UNFILED_"),
    ]

    @Test(arguments: cases) func keepTheFoldersOfTheSource(
        _ kind: PackageSource.Kind, _ path: String, _ folders: String
    ) {
        let found = SourceFolders.of(kind, FilePath(path)).joined(separator: "/")
        #expect(Array(found.unicodeScalars) == Array(folders.unicodeScalars), "\(found)")
    }

    @Test func bytesThatAreNoTextAreAName() {
        let path = FilePath(bytes: Array("/in/".utf8) + [0xFF] + Array("/a.pdf".utf8))
        #expect(SourceFolders.of(.file, path) == ["in", "\u{FFFD}"])
    }

    @Test func deepAndLongPathsKeepTheNearestFolders() {
        let deep = (1...100).map { "\($0)" }
        #expect(SourceFolders.of(.file, FilePath("/\(deep.joined(separator: "/"))/a")) == deep.suffix(32))
        let long = (1...20).map { "\($0)-" + String(repeating: "ü", count: 120) }
        let found = SourceFolders.of(.file, FilePath("/\(long.joined(separator: "/"))/a"))
        #expect(found == long.suffix(4) && found.joined().utf8.count <= SourceFolders.sizeLimit)
    }
}

/// The layout is remembered, and its folders are made whatever stands in their way.
@Suite struct LibraryLayoutTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    private func update(_ layout: LibraryLayout? = nil, rebuilding: Bool = false) throws -> LibraryReport {
        try Librarian.update(folder["container"], rebuilding: rebuilding, layout: layout) { _, _ in true }
    }

    private var library: FilePath { folder["container/library"] }
    private var files: [String] { Disk.files(below: library) }

    private func takeIn(_ id: String, _ content: String, path: String) throws {
        let path = FilePath(path)
        try LibraryScene.takeIn(container, id, content, name: path.lastComponent?.string ?? "", path: path)
    }

    @Test func aLayoutIsRememberedAndAnotherOneIsARebuild() throws {
        try takeIn("a1", "one", path: "/home/ada/Downloads/Invoices/a.txt")
        let byClass = try update()
        #expect(byClass.rebuilt && byClass.layout == .contentClass)
        let first = files
        #expect(first.count == 1 && first[0].hasPrefix("documents/"))
        let bySource = try update(.source)
        #expect(bySource.rebuilt && bySource.layout == .source && bySource.added == 1)
        #expect(files == ["Downloads/Invoices/a.txt"])
        try takeIn("a2", "two", path: "/home/ada/Downloads/b.txt")
        let later = try update()
        #expect(!later.rebuilt && later.layout == .source && later.added == 1)
        #expect(files == ["Downloads/Invoices/a.txt", "Downloads/b.txt"])
        #expect(try !update(.source).rebuilt)
        #expect(try update(.contentClass).rebuilt)
        #expect(files.contains(first[0]) && files.count == 2)
        #expect(try update(.contentClass) == LibraryReport())
        #expect(!Disk.names(in: library).contains("Downloads"), "empty folders go")
    }

    /// The first run with a layout died before it had made the files.
    @Test func anInterruptedChangeIsCompleted() throws {
        try takeIn("a1", "one", path: "/home/ada/in/a.txt")
        _ = try update()
        try SQL.run(
            folder["container"], "INSERT INTO meta VALUES ('layout', 'source'); DELETE FROM observer")
        let report = try update()
        #expect(report.rebuilt && report.layout == .source)
        #expect(files == ["in/a.txt"])
    }

    @Test func anUnknownLayoutBecomesTheFirst() throws {
        try takeIn("a1", "one", path: "/home/ada/in/a.txt")
        _ = try update(.source)
        try SQL.run(folder["container"], "UPDATE meta SET value = 'by planet' WHERE name = 'layout'")
        let report = try update()
        #expect(report.rebuilt && report.layout == .contentClass)
        #expect(files.count == 1 && files[0].hasPrefix("documents/"))
    }

    /// A path was a file once, and a folder later, or the other way round.
    @Test(arguments: [false, true], [false, true])
    func aFileMayHaveTheNameOfAFolder(_ isFolderFirst: Bool, _ isOneRun: Bool) throws {
        let inputs = [("file", "/in/a"), ("other", "/in/a"), ("inner", "/in/a/b.txt")]
        for (id, path) in isFolderFirst ? inputs.reversed() : inputs {
            // The same path with other content would be a replacement.
            var proposal = PackageProposal.accepted(id, [id], path: FilePath("\(path)"), sender: id)
            proposal.receipt.providers[0].name = FilePath(path).lastComponent?.string ?? ""
            try LibraryScene.takeIn(container, proposal, [id])
            if !isOneRun { #expect(try update(.source).added == 1) }
        }
        if isOneRun { #expect(try update(.source).added == 3) }
        #expect(files.count == 3, "\(files)")
        let texts = try files.map { String(decoding: try Disk.bytes(library.appending($0)), as: UTF8.self) }
        #expect(Set(texts) == ["file", "inner", "other"])
        #expect(files.allSatisfy { $0.hasPrefix("in/a") || $0.hasPrefix("unfiled/documents/") }, "\(files)")
        #expect(try update().added == 0)
        #expect(try update(rebuilding: true).added == 3)
        #expect(try update().added == 0)
        #expect(files.count == 3)
    }

    /// A person may put a file in the place of a folder.
    @Test func aPersonsFileInTheWayStays() throws {
        try takeIn("a1", "one", path: "/home/ada/Downloads/a.txt")
        try folder.write("container/library/Downloads", "mine")
        #expect(try update(.source).added == 1)
        #expect(files.count == 2 && files.contains("Downloads"))
        #expect(files.contains { $0.hasPrefix("unfiled/documents/") && $0.hasSuffix("/a.txt") })
    }

    @Test func theCommandKnowsTheLayouts() throws {
        let program = Program(container: folder["other"])
        try folder.write("in/Invoices/a.txt", "words\n")
        #expect(try program.ingest(folder["in"], options: ["--no-deliver"]).status == 0)
        let end = try program.run(["library", "--layout", "source"])
        #expect(end.status == 0 && end.output.contains("built anew in the layout 'source'"), "\(end.output)")
        let files = Disk.files(below: folder["other/library"])
        #expect(files.count == 1 && files[0].hasSuffix("in/Invoices/a.txt"))
        #expect(try program.run(["library", "--json"]).output.contains(#""layout":"source""#))
        #expect(try program.run(["library", "--layout", "planet"]).status == 64)
    }
}
