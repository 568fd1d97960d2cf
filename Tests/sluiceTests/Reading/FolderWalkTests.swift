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
                case .missing(let source): (source, "missing")
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

    @Test func depthIsLimited() throws {
        try folder.write("1/2/3/deep", "")
        try folder.write("1/2/near", "")
        let told = read(folder.path, depth: 3)
        #expect(told.count == 2)
        #expect(told.first?.hasPrefix("1/2/3 skipped: more than 3 folders deep") == true)
        #expect(told.last == "1/2/near file")
        #expect(read(folder.path, depth: 4) == ["1/2/3/deep file", "1/2/near file"])
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
        #expect(read(folder["missing"]) == ["missing missing"])
    }
}
