import Foundation
import ShareModel
import SystemPackage
import Testing

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
}
