import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Reading

@Suite struct BundleTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func pack(_ name: String, limits: ReadingLimits = ReadingLimits()) throws -> [UInt8] {
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

    /// After its error, a caller gets no more bytes, and above all no rest of a large file, filled with zeros.
    @Test func nothingIsHandedOnAfterAnError() throws {
        struct Full: Error {}
        try folder.write("Letter.pages/large", [UInt8](repeating: 7, count: 4 << 20))
        guard case .bundle(let bundle) = try SourceOpener(folder: folder.path).open(.path("Letter.pages")) else {
            throw Program.Failure("no bundle")
        }
        var calls = 0
        #expect(throws: Full.self) {
            try bundle.pack { _ in
                calls += 1
                if calls == 3 { throw Full() }
            }
        }
        #expect(calls == 3)
    }

    /// The size is known before anything is packed, so that there is a check for room.
    @Test func theSizeIsKnownBefore() throws {
        let long = String(repeating: "a long name ", count: 12)
        try make("Letter.pages", ["a", "Data/é.txt", "\(long)/\(long)", "Data/empty"])
        for (place, size) in [0, 1, 511, 512, 513, 70_000].enumerated() {
            try folder.write("Letter.pages/\(place)", [UInt8](repeating: 1, count: size))
        }
        guard case .bundle(let bundle) = try SourceOpener(folder: folder.path).open(.path("Letter.pages")) else {
            throw Program.Failure("no bundle")
        }
        #expect(try bundle.packedSize() == Int64(pack("Letter.pages").count))
        for place in 0..<2 {
            let huge = try folder.write("Letter.pages/huge-\(place)", "")
            #expect(truncate(huge.string, off_t(Int64.max / 2)) == 0 || errno == EFBIG)
        }
        #expect(try bundle.packedSize() >= 0)
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
                ($0 as? ReadingError)?.code == .refused
            }
        }
    }

    /// A share may name any folder of its own.
    @Test func aContainerInsideIsRefused() throws {
        try make("Album/box", ["objects/a"])
        #expect(try !pack("Album").isEmpty)
        try folder.write("Album/box/format", #"{"format": "sluice-container", "version": 6}"#)
        let error = #expect(throws: ReadingError.self) { try pack("Album") }
        #expect(error?.code == .refused && error?.message.contains("Album/box is a container of Sluice") == true)
    }

    private func survey(_ name: FilePath.Component, atMost entries: Int) throws -> FolderSurvey {
        var limits = ReadingLimits()
        limits.bundleEntries = entries
        let rules = WalkRules(
            root: folder.path, limits: limits, excluded: nil, ignored: nil, readsIgnoreFiles: true)
        let parent = try Directory(folder.path)
        return FolderSurvey(name, below: parent, at: FilePath(root: nil, components: name), rules)
    }

    /// Behind the limit, nothing is looked at.
    @Test func aSurveyEndsAtItsLimit() throws {
        try make("A.pages", ["a/1", "a/2", "a/3", "b"])
        try folder.write("A.pages/.sluiceignore", "b\n")
        let all = try survey("A.pages", atMost: 6)
        #expect(all.leavesOut && all.isPackable)
        let few = try survey("A.pages", atMost: 5)
        #expect(!few.leavesOut && !few.isPackable)
    }

    /// A folder of a million folders does not delay the end of a run.
    @Test func aSurveyEndsWithItsTask() async throws {
        try make("A.pages", ["a/1", "b"])
        #expect(try survey("A.pages", atMost: 100).isWhole)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try survey("A.pages", atMost: 100).isPackable
        }
        #expect(try await !cancelled.value)
    }

    @Test(arguments: [(2, 64), (9, 2)])
    func sizesAreLimited(_ entries: Int, _ depth: Int) throws {
        try make("A.pages", ["1/2/a", "b"])
        var limits = ReadingLimits()
        (limits.bundleEntries, limits.depth) = (entries, depth)
        #expect {
            _ = try pack("A.pages", limits: limits)
        } throws: {
            ($0 as? ReadingError)?.code == .limit
        }
    }
}
