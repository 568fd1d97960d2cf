import Foundation
import SystemPackage
import Testing

@testable import Files

@Suite struct TemporaryFolderTests {
    /// As a process leaves it that is killed.
    @Test func theFolderOfADeadProcessIsRemoved() throws {
        let purpose = "swept-\(UUID().uuidString)"
        let dead = FilePath.temporaryFolder.appending("sluice-\(purpose)-1")
        try FileManager.default.createDirectory(atPath: dead.string, withIntermediateDirectories: false)
        _ = FileManager.default.createFile(atPath: dead.appending("file").string, contents: Data("left".utf8))
        let first = try TemporaryFolder(for: purpose)
        #expect(!FileManager.default.fileExists(atPath: dead.string))
        let second = try TemporaryFolder(for: purpose)
        #expect(first.path != second.path)
        #expect(FileManager.default.fileExists(atPath: first.path.string), "its process lives")
        withExtendedLifetime((first, second)) {}
    }
}
