import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import Reading

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
            ($0 as? ReadingError)?.code == .refused
        }
    }

    /// Another user may pass through a folder of mode 0711, and not list it.
    @Test func aFolderNeedNotBeListed() throws {
        let folder = try TestFolder(inMemory: true)
        for name in ["closed/a.txt", "closed/package/a.txt"] { try folder.write(name, "inside") }
        try FileManager.default.setAttributes([.posixPermissions: 0o111], ofItemAtPath: folder["closed"].string)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder["closed"].string)
        }
        try OtherUser.reading { () throws in
            #expect(throws: Errno.permissionDenied) { try Directory(folder["closed"]).names() }
            let opener = SourceOpener(folder: folder["closed/package"], root: folder.path)
            #expect(try opener.open(.path("a.txt")).isRegularFile())
            var reader = PackageReader(paths: [folder["closed/a.txt"], folder["closed/package"]])
            var paths: [FilePath] = []
            while case .package(let package, _)? = reader.next() { paths.append(package.source.path) }
            #expect(paths == [folder["closed/a.txt"], folder["closed/package/a.txt"]])
        }
    }

    /// A share that a walk found lies below the folder that the user named.
    @Test(arguments: [".", "./.", "ABSOLUTE"])
    func aPackageCannotPackItself(_ path: String) throws {
        let opener = SourceOpener(folder: folder["package"], root: folder.path)
        #expect {
            _ = try opener.open(.path(path == "ABSOLUTE" ? folder["package"] : FilePath(path))).isRegularFile()
        } throws: {
            ($0 as? ReadingError)?.code == .refused
        }
    }

    /// As `exiftool -P` does it: other bytes of the same size, under the old time of modification.
    @Test func aFileWithItsOldTimeIsChangedNevertheless() throws {
        let path = folder["package/a.txt"]
        let times = try FileManager.default.attributesOfItem(atPath: path.string)[.modificationDate] as? Date
        let before = try #require(times)
        try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: path.string)
        let file = try SourceOpener.open(named: path)
        let stamp = file.stamp
        // The clock of a file system is coarse, so one write may leave the time of change as it was.
        repeat {
            let writer = try FileDescriptor.open(path, .writeOnly)
            try writer.closeAfter { _ = try writer.writeAll("INSIDE".utf8) }
            try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: path.string)
        } while try SourceOpener.open(named: path).stamp.changed == stamp.changed
        #expect(try SourceOpener.open(named: path).stamp.modified == stamp.modified)
        do throws(ReadingError) {
            _ = try file.checkUnchanged(afterReading: 6)
            Issue.record("the change was not found")
        } catch {
            #expect(error.code == .changed)
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

/// A sender may replace the share's folder by a link after the description is read and before the content is.
@Suite struct SwappedFolderTests {
    @Test func aShareThatBecomesALinkLeadsNowhere() throws {
        let folder = try TestFolder()
        try folder.share("in/x", #"{"representations":[{"file":"key.txt"}]}"#)
        try folder.write("in/x.share/key.txt", "its own")
        try folder.write("secret/key.txt", "somebody else's")
        var reader = PackageReader(paths: [folder["in"]])
        guard case .package(let package, _) = reader.next() else {
            Issue.record("the share is no package")
            return
        }
        let opener = SourceOpener(folder: package.source.folder, root: package.source.root)
        #expect(throws: Never.self) { _ = try opener.open(.path("key.txt")) }
        try FileManager.default.removeItem(atPath: folder["in/x.share"].string)
        try FileManager.default.createSymbolicLink(
            atPath: folder["in/x.share"].string, withDestinationPath: folder["secret"].string)
        for opener in [opener, SourceOpener(folder: package.source.folder, root: package.source.root)] {
            for reference in [FileReference.path("key.txt"), .path(folder["in/x.share/key.txt"])] {
                #expect(throws: ReadingError.self) { _ = try opener.open(reference) }
            }
        }
    }
}

@Suite struct FileURLTests {
    @Test(arguments: [
        ("file:///a/b.txt", "/a/b.txt"), ("file://localhost/a", "/a"), ("FILE:///a", "/a"), ("file:/a", "/a"),
        ("file:a/b", "a/b"), ("file:///a%20b", "/a b"), ("file:///%C3%A9", "/é"), ("file:///a?query#part", "/a"),
        ("file:///a%3Fb%23c", "/a?b#c"), ("file:///%2e%2e/a", "/../a"), ("file:///é", "/é"),
        ("file:///a#\u{301}b", "/a"), ("file:\u{301}a", "\u{301}a"),
    ])
    func namesAPath(_ url: String, _ path: String) throws { #expect(try FileURL.path(url) == FilePath(path)) }

    @Test func namesBytesThatAreNoText() throws {
        let path = try FileURL.path("file:///a%FFb")
        #expect(path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: 4)) } == [0x2F, 0x61, -1, 0x62])
    }

    @Test(arguments: [
        ("file://server/share/a", ReadingError.Code.refused), ("file:///a%2Fb", .refused), ("file:///a%00", .refused),
        ("file:///a\u{0}b", .refused), ("file:///a%", .malformed), ("file:///a%4", .malformed),
        ("file:///a%zz", .malformed), ("file:///a%+1", .malformed), ("file://localhost", .malformed),
        ("file:?", .malformed), ("", .malformed), ("file", .malformed), ("file:", .malformed), ("/a", .malformed),
        ("https://a", .malformed), ("xfile:///a", .malformed),
    ])
    func isRefused(_ url: String, _ code: ReadingError.Code) {
        #expect {
            _ = try FileURL.path(url)
        } throws: {
            ($0 as? FileURL.Fault)?.code == code
        }
    }
}
