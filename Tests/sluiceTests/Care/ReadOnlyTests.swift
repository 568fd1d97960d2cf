import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// Maintenance commands that only read need no write access.
@Suite struct ReadOnlyTests {
    private let folder: TestFolder
    private var container: FilePath { folder["container"] }

    init() throws {
        folder = try TestFolder()
        _ = try Program(container: folder["container"]).ingest(folder.write("in/letter.txt", "words"))
    }

    private func fileSystem(_ code: FileError.Code) -> HookedFileSystem {
        let container = container
        return HookedFileSystem(beforeWriting: { path throws(FileError) in
            if path.starts(with: container) { throw FileError(code, "writing \(path) failed") }
        })
    }

    /// Once with the lock files, and once without them.
    @Test(arguments: [true, false])
    func nothingIsWritten(_ hasLocks: Bool) throws {
        if !hasLocks { try FileManager.default.removeItem(atPath: container.appending("run").string) }
        try Damage.writable.strike(container.object(of: "words"))
        let care = try ContainerMaintenance(reading: container, fileSystem: fileSystem(.readOnly))
        #expect(try care.verify(VerifyOptions(), now: { "now" }) { _ in }.findings == 1)
        var options = CollectOptions()
        options.isPlan = true
        #expect(try care.collect(options, now: 0) { _ in }.rows == 0)
        let bag = folder["bag"]
        let sum = try care.export(
            to: bag, [], info: [], compose: { _, _, _ in [] }, isStopped: { false }, report: { _ in })
        #expect(sum.receiptsAlone == 1 && Disk.names(in: bag).contains("bagit.txt"))
        #expect(FileManager.default.fileExists(atPath: container.appending("run").string) == hasLocks)
    }

    /// Without a lock, another process may be writing.
    @Test func aMissingLockIsReportedWithItsRemedy() throws {
        try FileManager.default.removeItem(atPath: container.appending("run").string)
        let error = try #require(throws: ContainerError.self) {
            try ContainerMaintenance(reading: container, fileSystem: fileSystem(.system))
        }
        #expect(error.message.contains("as the container's owner"))
    }

    /// SQLite makes the index of the write-ahead log on the disk. A full Btrfs has no room for it, although the last rows
    /// may be in the log alone.
    @Test func theLastRowsAreReadWithoutRoomForTheIndex() throws {
        let writer = try Container.open(at: container)
        let log = try withExtendedLifetime(writer) {
            _ = try Program(container: container).ingest(folder.write("in/late.txt", "late"))
            try FileManager.default.copyItem(atPath: container.string, toPath: folder["copy"].string)
            return try Disk.bytes(folder["copy/catalog.sqlite-wal"])
        }
        #expect(!log.isEmpty)
        try FileManager.default.removeItem(atPath: folder["copy/catalog.sqlite-shm"].string)
        var program = Program(container: folder["copy"])
        // The output goes through a pipe, because the limit holds for the files of the test too.
        program.executable = try folder.write(
            "limited",
            """
            #!/bin/sh
            trap '' XFSZ
            (ulimit -f 0; exec '\(Program.folder.appending(path: "sluice").path)' "$@") 2>&1 | cat
            """, mode: 0o755)
        let paths = try program.run(["list", "--json"]).messages.compactMap(\.package?.source.path)
        #expect(paths == [folder["in/letter.txt"].string, folder["in/late.txt"].string])
        // What this process reads stays as it is, so it would wait for ever.
        let words = try program.run(["changes", "--follow"]).output
        #expect(words.contains("cannot be followed"), "\(words)")
        // The test makes it with a limit instead of a full disk, and the message says so.
        #expect(words.contains("the limit on the size of a file (ulimit -f) is 0 bytes"), "\(words)")
    }
}
