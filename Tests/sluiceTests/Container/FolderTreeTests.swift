import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// Removing a sink's leftovers removes nothing else.
@Suite struct FolderTreeTests {
    private let folder: TestFolder
    private let disk = SystemFileSystem()

    init() throws { folder = try TestFolder(inMemory: true) }

    private func python(_ code: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", code, folder.path.string]
        try process.run()
        return process
    }

    @Test func linksAreRemovedAndNotFollowed() throws {
        try folder.write("outside/file", "kept")
        try folder.write("work/in/part", "content", mode: 0o400)
        try FileManager.default.createSymbolicLink(
            atPath: folder["work/link"].string, withDestinationPath: folder["outside"].string)
        disk.removeTree(folder["work"])
        #expect(Disk.names(in: folder.path) == ["outside"])
        #expect(Disk.names(in: folder["outside"]) == ["file"])
        disk.removeTree(folder["work"])
    }

    @Test func deepAndClosedFoldersAreRemovedToo() throws {
        let process = try python(
            """
            import os, sys
            os.chdir(sys.argv[1]); os.mkdir("work"); os.chdir("work")
            for place in range(3000):
                open("file", "w").close(); os.mkdir("a"); os.chdir("a")
            os.chdir(sys.argv[1])
            os.makedirs("work/closed/inner"); open("work/closed/inner/file", "w").close()
            os.chmod("work/closed/inner", 0); os.chmod("work/closed", 0o500)
            """)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        disk.removeTree(folder["work"])
        #expect(Disk.names(in: folder.path).isEmpty)
    }

    /// The new file may have the inode of the old one.
    @Test func aFileThatIsMadeAgainIsAnotherOne() throws {
        try folder.write("file", "one")
        let first = try #require(try disk.identity(of: folder["file"]))
        try disk.move(folder["file"], to: folder["renamed"])
        try folder.write("renamed", "two")
        #expect(try disk.identity(of: folder["file"]) == nil)
        #expect(try disk.identity(of: folder["renamed"]) == first)
        // The clock of a file system is coarse.
        func birth(_ identity: String?) -> Substring? { identity?.split(separator: " ").last }
        repeat {
            try disk.remove(folder["probe"], isFolder: false)
            try folder.write("probe", "")
        } while try birth(disk.identity(of: folder["probe"])) == birth(first) && birth(first) != "0"
        for name in ["renamed", "probe"] { try disk.remove(folder[name], isFolder: false) }
        try folder.write("renamed", "two")
        #expect(try disk.identity(of: folder["renamed"]) != first)
    }

    @Test func emptyFoldersAreRemovedUpToTheRoot() throws {
        try folder.write("root/a/b/kept", "content")
        try disk.ensureFolders(folder["root/a/b/c/d"])
        try disk.ensureFolders(folder["beside/e"])
        disk.removeEmptyFolders(from: folder["root/a/b/c/d"], below: folder["root"])
        #expect(Disk.names(in: folder["root/a/b"]) == ["kept"])
        try disk.remove(folder["root/a/b/kept"], isFolder: false)
        disk.removeEmptyFolders(from: folder["root/a/b"], below: folder["root"])
        disk.removeEmptyFolders(from: folder["beside/e"], below: folder["root"])
        #expect(Disk.names(in: folder["root"]).isEmpty)
        #expect(Disk.names(in: folder.path) == ["beside", "root"])
        #expect(Disk.names(in: folder["beside"]) == ["e"])
    }

    /// A file system for tests removes entry by entry, so that each removal can fail.
    @Test func theDefaultRemovalIsTheSame() throws {
        try folder.write("outside/file", "kept")
        try folder.write("work/in/part", "content", mode: 0o400)
        try FileManager.default.createSymbolicLink(
            atPath: folder["work/link"].string, withDestinationPath: folder["outside"].string)
        HookedFileSystem(beforeRemove: { path throws(FileError) in
            if path.lastComponent == "part" { throw FileError(.noSpace, "removing", path) }
        }).removeTree(folder["work"])
        #expect(Disk.files(below: folder["work"]) == ["in/part"], "what cannot be removed stays")
        HookedFileSystem().removeTree(folder["work"])
        #expect(Disk.names(in: folder.path) == ["outside"])
        #expect(Disk.names(in: folder["outside"]) == ["file"])
    }

    /// The place counts the calls that write: to share the blocks, and then to copy them.
    @Test(arguments: 1...3) func aShortCopyGoesOn(place: Int) throws {
        let bytes = [UInt8](repeating: 7, count: 600_000)
        try SmallFile.write(bytes, to: folder["source"])
        let schedule = FaultSchedule(.shortWrite, at: place)
        try copy(on: FaultyFileSystem(schedule))
        #expect(try disk.digest(of: folder["copy"]) == (Digest(of: bytes), Int64(bytes.count)))
        #expect(try disk.status(of: folder["copy"])?.permissions == .ownerRead)
    }

    @Test(arguments: 1...3) func aCopyOnAFullDiskIsAnError(place: Int) throws {
        try SmallFile.write([1, 2, 3], to: folder["source"])
        #expect {
            try copy(on: FaultyFileSystem(FaultSchedule(.noSpace, at: place)))
        } throws: {
            ($0 as? FileError)?.code == .full
        }
    }

    private func copy(on fileSystem: any FileSystem) throws {
        let source = try disk.open(folder["source"], .readOnly)
        try source.closeAfter { try fileSystem.copy(source, to: folder["copy"]) }
    }

    @Test func everyEntryHasASize() throws {
        for number in 0..<10 { try folder.write("work/\(number)", "") }
        #expect(try disk.size(ofFolder: folder["work"], limit: 1 << 20) == 10 * 4096)
        #expect(try disk.size(ofFolder: folder["work"], limit: 8192) == 3 * 4096, "counting ends at the limit")
        try folder.write("outside/file", String(repeating: "x", count: 1 << 20))
        try FileManager.default.createSymbolicLink(
            atPath: folder["work/link"].string, withDestinationPath: folder["outside"].string)
        #expect(try disk.size(ofFolder: folder["work"], limit: 1 << 20) == 11 * 4096)
        #expect(try disk.size(ofFolder: folder["nowhere"], limit: 1) == 0)
    }

    @Test(arguments: [0o300, 0o600, 0]) func nothingIsHiddenInAClosedFolder(mode: Int) throws {
        try folder.write("work/closed/inner/file", String(repeating: "x", count: 1 << 16))
        for name in ["work/closed/inner", "work/closed", "work"] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder[name].string)
        }
        #expect(try disk.size(ofFolder: folder["work"], limit: 1 << 20) >= 1 << 16)
    }

    @Test func aTreeThatIsTooDeepExceedsEveryLimit() throws {
        let path = { "work" + String(repeating: "/a", count: $0) }
        try folder.write(path(64) + "/file", "")
        #expect(try disk.size(ofFolder: folder["work"], limit: 1 << 20) == 65 * 4096)
        try folder.write(path(65) + "/file", "")
        #expect(try disk.size(ofFolder: folder["work"], limit: 1 << 20) > 1 << 20)
    }

    /// The sink swaps a folder for a link while the host removes the folder by name.
    @Test func aSwappedLinkIsNotFollowed() throws {
        try folder.write("outside/0/file", "kept")
        let process = try python(
            """
            import os, sys
            os.chdir(sys.argv[1])
            while not os.path.exists("stop"):
                try:
                    for place in range(20): os.makedirs(f"work/dir/{place}/more", exist_ok=True)
                    os.rename("work/dir", "work/away")
                    os.symlink("../outside", "work/dir")
                    os.unlink("work/dir")
                    os.rename("work/away", "work/dir")
                except OSError: pass
            """)
        for _ in 0..<300 {
            try FileManager.default.createDirectory(atPath: folder["work"].string, withIntermediateDirectories: true)
            disk.removeTree(folder["work"])
        }
        try folder.write("stop", "")
        process.waitUntilExit()
        #expect(Disk.files(below: folder["outside"]) == ["0/file"])
    }
}
