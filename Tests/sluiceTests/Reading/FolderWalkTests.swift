import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Reading

@Suite struct FolderWalkTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// The reader's result for each input: the path below the folder, and the kind of the input.
    private func read(_ paths: FilePath..., depth: Int? = nil) -> [String] {
        var limits = ReadingLimits()
        if let depth { limits.depth = depth }
        var reader = PackageReader(paths: paths, limits: limits)
        var told: [String] = []
        while let input = reader.next() {
            let (source, word) =
                switch input {
                case .package(let package, _): (package.source, package.source.kind.rawValue)
                case .skipped(let source, let why): (source, "skipped: \(why)")
                case .unusable(let source, let error): (source, "unusable: \(error.code)")
                case .recorded(let source, _): (source, "recorded")
                case .failed(let source, let error): (source, "failed: \(error.code)")
                }
            told.append("\(source.path.string.dropFirst(folder.path.string.utf8.count + 1)) \(word)")
        }
        return told
    }

    @Test func goesByTheBytesOfNames() throws {
        for name in ["b", "a/z", "a/y/x", "a-b", "B", "é", "e\u{301}", "a.txt", "10", "9"] {
            try folder.write(name, name)
        }
        let expected = ["10", "9", "B", "a/y/x", "a/z", "a-b", "a.txt", "b", "e\u{301}", "é"]
        #expect(
            read(folder.path).map { $0.unicodeScalars.map(\.value) }
                == expected.map { "\($0) file".unicodeScalars.map(\.value) })
    }

    @Test func pathsKeepTheirOrder() throws {
        for name in ["b", "a"] { try folder.write(name, name) }
        #expect(read(folder["b"], folder["a"], folder["b"]) == ["b file", "a file", "b file"])
    }

    @Test func formsAreKnownByName() throws {
        try folder.write("one.share/share.json", #"{"version": 1, "items": []}"#)
        try folder.write("broken.share/other", "")
        try folder.write("file.share", "a file of that name")
        try folder.write("Letter.PAGES/index.xml", "")
        try folder.write("plain.d/a", "")
        #expect(
            read(folder.path) == [
                "Letter.PAGES bundle", "broken.share failed: missing", "file.share file", "one.share share",
                "plain.d/a file",
            ])
    }

    /// A container is no input, under whatever name a walk finds it. The first one is real, the others lack something.
    @Test func containersAreSkipped() throws {
        try folder.write("note", "a note")
        let end = try Program(container: folder["box"]).run(["ingest", "--no-deliver", folder["note"].string])
        #expect(end.status == 0, "\(end.errors)")
        try folder.write("no-objects/format", #"{"format": "sluice-container", "version": 6}"#)
        try folder.write("objects-is-a-file/format", #"{"format": "sluice-container", "version": 6}"#)
        try folder.write("objects-is-a-file/objects", "")
        try folder.write("of-another/format", #"{"format": "another", "version": 6}"#)
        try folder.write("of-another/objects/a", "")
        try folder.write("of-words/format", "docx")
        try folder.write("of-words/objects/a", "")
        let why = "skipped: a container of Sluice; export it to take in what it holds"
        #expect(
            read(folder.path) == [
                "box \(why)", "no-objects/format file", "note file", "objects-is-a-file/format file",
                "objects-is-a-file/objects file", "of-another/format file", "of-another/objects/a file",
                "of-words/format file", "of-words/objects/a file",
            ])
        #expect(read(folder["box"]) == ["box \(why)"])
    }

    /// A container is no part of a document either, nor a document by its name.
    @Test func containersInDocumentsAreSkipped() throws {
        for place in ["c_files", "My.bundle", "Tool.app/Contents/box"] {
            try folder.write("\(place)/format", #"{"format": "sluice-container", "version": 6}"#)
            try folder.write("\(place)/objects/a", "content")
        }
        try folder.write("c.html", "<img src='c_files/a.png'>")
        try folder.write("Tool.app/Contents/run", "program")
        try folder.write("Whole.app/Contents/run", "program")
        let why = "skipped: a container of Sluice; export it to take in what it holds"
        #expect(
            read(folder.path) == [
                "My.bundle \(why)", "Tool.app/Contents/box \(why)", "Tool.app/Contents/run file", "Whole.app bundle",
                "c.html file", "c_files \(why)",
            ])
        #expect(read(folder["My.bundle"]) == ["My.bundle \(why)"])
    }

    @Test func depthIsLimited() throws {
        try folder.write("1/2/3/deep", "")
        try folder.write("1/2/near", "")
        let told = read(folder.path, depth: 3)
        #expect(told.count == 2)
        #expect(told.first == "1/2/3 failed: limit")
        #expect(told.last == "1/2/near file")
        #expect(read(folder.path, depth: 4) == ["1/2/3/deep file", "1/2/near file"])
    }

    /// A run that leaves content out must not end as if it had taken everything in.
    @Test func aFolderThatIsTooDeepFailsTheRun() throws {
        let deep = Array(repeating: "d", count: ReadingLimits().depth).joined(separator: "/")
        try folder.write("in/near.txt", "near")
        try folder.write("in/\(deep)/deep.txt", "deep")
        let program = Program(container: folder["container"])
        let end = try program.run(["ingest", "--no-deliver", folder["in"].string])
        #expect(end.status == 1 && end.output.contains("2 packages in"), "\(end)")
        #expect(end.output.contains("lies more than 64 folders deep; name it to take it in"), "\(end.output)")
        #expect(end.output.contains("1 accepted, 1 failed"), "\(end.output)")
        try folder.write("in/\(deep)/deeper/one.txt", "one")
        let below = try program.run(["ingest", "--no-deliver", folder["in/\(deep)/deeper/one.txt"].string])
        #expect(below.status == 0)
        #expect(
            try !program.run(["list", "--json", "--failed"]).messages.isEmpty, "the folder itself has not been read")
        let named = try program.run(["ingest", "--no-deliver", folder["in/\(deep)"].string])
        #expect(named.status == 0 && named.output.contains("deep.txt "), "\(named)")
        #expect(try program.run(["list", "--json", "--failed"]).messages.isEmpty)
    }

    @Test func namedLinksAreFollowedAndWalkedOnesAreNot() throws {
        try folder.write("real/a", "")
        try FileManager.default.createSymbolicLink(
            atPath: folder["link"].string, withDestinationPath: folder["real"].string)
        #expect(read(folder["link"]) == ["link/a file"])
        #expect(read(folder.path).first == "link skipped: a symbolic link; name its target to take it in")
    }

    @Test func whatIsNamedIsTakenThoughHidden() throws {
        try folder.write(".hidden", "")
        #expect(read(folder[".hidden"]) == [".hidden file"])
        #expect(read(folder["missing"]) == ["missing unusable: missing"])
    }
}
