import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Unpacking

@Suite struct FolderWalkTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// What a reader says of each input: the path below the folder, and what it is.
    private func read(_ paths: FilePath..., depth: Int? = nil) -> [String] {
        var limits = UnpackingLimits()
        if let depth { limits.depth = depth }
        var reader = PackageReader(paths: paths, limits: limits)
        var told: [String] = []
        while let input = reader.next() {
            let (source, word) =
                switch input {
                case .package(let package): (package.source, package.source.kind.rawValue)
                case .skipped(let source, let why): (source, "skipped: \(why)")
                case .missing(let source): (source, "missing")
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

@Suite struct BundleTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func pack(_ name: String, limits: UnpackingLimits = UnpackingLimits()) throws -> [UInt8] {
        let opener = SourceOpener(folder: folder.path, limits: limits)
        guard case .bundle(let bundle) = try opener.open(.path(FilePath(name))) else {
            throw Program.Failure("no bundle")
        }
        var bytes: [UInt8] = []
        try bundle.pack { bytes += $0 }
        return bytes
    }

    private func make(_ name: String, _ files: [String]) throws {
        for file in files { try folder.write("\(name)/\(file)", "content of \(file)") }
    }

    @Test func packsTheSameFilesToTheSameBytes() throws {
        let files = ["Data/b.txt", "Data/a.txt", "index.xml", "é"]
        try make("one/Letter.pages", files)
        let first = try pack("one/Letter.pages")
        try make("two/Letter.pages", files.reversed())
        for file in files {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 12_345), .posixPermissions: 0o600],
                ofItemAtPath: folder["two/Letter.pages/\(file)"].string)
        }
        #expect(try pack("two/Letter.pages") == first)
        try folder.write("two/Letter.pages/index.xml", "other")
        #expect(try pack("two/Letter.pages") != first)
    }

    @Test func othersCanUnpackIt() throws {
        try make("Letter.pages", ["Data/a.txt", "index.xml"])
        try folder.write("packed.tar", pack("Letter.pages"))
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xf", folder["packed.tar"].string, "-C", folder.path.string, "--one-top-level=out"]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        #expect(Disk.files(below: folder["out"]) == ["Letter.pages/Data/a.txt", "Letter.pages/index.xml"])
        #expect(try Disk.bytes(folder["out/Letter.pages/index.xml"]) == Array("content of index.xml".utf8))
    }

    @Test func linksAndPipesInsideAreRefused() throws {
        try make("A.pages", ["index.xml"])
        try FileManager.default.createSymbolicLink(
            atPath: folder["A.pages/link"].string, withDestinationPath: "/etc/passwd")
        try make("B.pages", ["index.xml"])
        #expect(mkfifo(folder["B.pages/pipe"].string, 0o600) == 0)
        for name in ["A.pages", "B.pages"] {
            #expect {
                _ = try pack(name)
            } throws: {
                ($0 as? UnpackingError)?.code == .refused
            }
        }
    }

    @Test(arguments: [(2, 64), (9, 2)])
    func sizesAreLimited(_ entries: Int, _ depth: Int) throws {
        try make("A.pages", ["1/2/a", "b"])
        var limits = UnpackingLimits()
        (limits.bundleEntries, limits.depth) = (entries, depth)
        #expect {
            _ = try pack("A.pages", limits: limits)
        } throws: {
            ($0 as? UnpackingError)?.code == .limit
        }
    }
}

@Suite struct SourceOpenerTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try folder.write("package/a.txt", "inside")
        try folder.write("secret.txt", "outside")
        try FileManager.default.createSymbolicLink(atPath: folder["package/up"].string, withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(
            atPath: folder["package/link.txt"].string, withDestinationPath: folder["secret.txt"].string)
    }

    @Test(arguments: ["../secret.txt", "up/secret.txt", "link.txt", ".", "/etc/passwd", "a.txt/../../secret.txt"])
    func nothingLeadsOutside(_ path: String) throws {
        let opener = SourceOpener(folder: folder["package"])
        #expect {
            _ = try opener.open(.path(FilePath(path))).isRegularFile()
        } throws: {
            ($0 as? UnpackingError)?.code == .refused
        }
    }

    @Test func whatIsInsideOpens() throws {
        let opener = SourceOpener(folder: folder["package"])
        #expect(try opener.open(.path("a.txt")).isRegularFile())
        #expect(try opener.open(.path(folder["package/a.txt"])).isRegularFile())
        #expect(try opener.open(.url("file://\(folder["package/a.txt"].string)")).isRegularFile())
        #expect(
            try SourceOpener(folder: nil, allowedRoots: [folder.path]).open(.path(folder["secret.txt"])).isRegularFile()
        )
    }
}

extension SourceOpener.Opened {
    fileprivate consuming func isRegularFile() -> Bool {
        switch consume self {
        case .file: true
        case .bundle: false
        }
    }
}
