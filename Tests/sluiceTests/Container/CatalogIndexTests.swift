import SQLite
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// On Btrfs, the index of the catalog's log is made before SQLite opens it. Two files of that name would be two sets of
/// locks.
@Suite struct CatalogIndexTests {
    private let folder: TestFolder
    private var path: FilePath { folder["catalog.sqlite-shm"] }

    init() throws { folder = try TestFolder() }

    @Test func itIsMadeAsAWhole() throws {
        #expect(SystemFileSystem().makeWithoutCopies(path))
        #expect(try Disk.mode(path) == 0o600)
        #expect(Disk.names(in: folder.path) == ["catalog.sqlite-shm"])
    }

    @Test func aPresentOneStays() throws {
        try folder.write("catalog.sqlite-shm", "locks")
        #expect(!SystemFileSystem().makeWithoutCopies(path))
        #expect(try Disk.bytes(path) == Array("locks".utf8))
        #expect(Disk.names(in: folder.path) == ["catalog.sqlite-shm"])
    }

    @Test func sqliteUsesIt() throws {
        #expect(SystemFileSystem().makeWithoutCopies(path))
        let file = try #require(try SystemFileSystem().identity(of: path))
        let pool = try DatabasePool(path: folder["catalog.sqlite"].string)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        #expect(try SystemFileSystem().identity(of: path) == file)
    }
}
