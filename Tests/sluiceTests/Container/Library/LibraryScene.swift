import Foundation
import ShareModel
import SystemPackage

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// A container whose library needs every kind of work: replaced packages, one of them a link, names that are taken, and a
/// person's files.
/// One of those files has replaced a file of the library.
struct LibraryScene {
    /// The paths of a person's files, and their texts.
    static let personal = ["documents/Notes.txt": "mine", "documents/Letter (3).txt": "changed"]

    let root: FilePath
    private let canClone: Bool
    private var library: FilePath { root.appending("library") }

    init(_ root: FilePath, canClone: Bool) throws {
        self.root = root
        self.canClone = canClone
        let container = try Container.open(at: root)
        for (id, text) in [("a1", "one"), ("a2", "two"), ("a3", "three")] {
            try Self.takeIn(container, id, text, name: "Letter.txt")
        }
        try Self.takeInLink(container, "b1", "https://example.org/1")
        _ = try update()
        let changed = library.appending("documents/Letter (3).txt")
        try FileManager.default.removeItem(atPath: changed.string)
        for (path, text) in Self.personal {
            try Data(text.utf8).write(to: URL(filePath: library.appending(path).string))
        }
        try Self.takeIn(container, "a4", "four", name: "Letter.txt", path: "/in/a1")
        try Self.takeIn(container, "a5", "five", name: "Notes.txt")
        try Self.takeInLink(container, "b2", "https://example.org/2")
    }

    /// Stores a link, which replaces the one before.
    private static func takeInLink(_ container: Container, _ id: String, _ address: String) throws {
        var proposal = PackageProposal.accepted(id, [address], path: "/in/link")
        proposal.receipt.providers[0].name = "Link"
        proposal.receipt.providers[0].type = .uriList
        try takeIn(container, proposal, [address])
    }

    /// Stores a content under a name, with its object and rows.
    static func takeIn(
        _ container: Container, _ id: String, _ content: String, name: String, path: FilePath? = nil
    ) throws {
        var proposal = PackageProposal.accepted(id, [content], path: path ?? FilePath("/in/\(id)"))
        proposal.receipt.providers[0].name = name
        try takeIn(container, proposal, [content])
    }

    /// Stores contents, and commits their package.
    static func takeIn(_ container: Container, _ proposal: PackageProposal, _ contents: [String]) throws {
        let area = try container.objects.makeStagingArea()
        for content in contents {
            let file = try area.makeFile()
            try Array(content.utf8).withUnsafeBytes { try file.append($0) }
            try container.objects.commit([file.finish()])
        }
        _ = try container.catalog.commit([proposal])
    }

    /// The piece's own name, in one folder for all pieces.
    static func name(of piece: LibraryPiece) -> LibraryName {
        let name = FilePath(piece.file.page == nil ? piece.file.name : "\(piece.file.name).html")
        return LibraryName(
            folders: ["documents"], stem: name.stem ?? "", ending: name.extension.map { ".\($0)" } ?? ""
        ) { $0.lowercased() }
    }

    @discardableResult
    func update(rebuilding: Bool = false, _ fileSystem: (any FileSystem)? = nil) throws -> LibraryReport {
        let fileSystem = fileSystem ?? HookedFileSystem(canClone: canClone)
        var librarian = try Librarian(opening: root, fileSystem: fileSystem) { piece, _ in Self.name(of: piece) }
        return try librarian.run(rebuilding: rebuilding)
    }

    /// Each file of the library with its text.
    var files: [String: String] {
        get throws {
            let paths = Disk.files(below: library)
            return try Dictionary(
                uniqueKeysWithValues: paths.map { path in
                    (path, String(decoding: try Disk.bytes(library.appending(path)), as: UTF8.self))
                })
        }
    }

    /// The library's temporary files in `run/`.
    var leftovers: [String] {
        Disk.names(in: root.appending("run")).filter { $0 == "library.part" }
            + Disk.names(in: root.appending("run/library.old"))
    }
}
