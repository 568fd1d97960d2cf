import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// The reserve stays free, although the writer does not query the free space for each object.
@Suite struct SpaceReserveTests {
    /// A disk that has only one writer.
    private final class Disk: Sendable {
        let state: Mutex<(free: FreeSpace, looks: Int)>

        init(bytes: Int64, files: UInt64) {
            state = Mutex((FreeSpace(bytes: bytes, files: files), 0))
        }

        var fileSystem: HookedFileSystem {
            var fileSystem = HookedFileSystem()
            fileSystem.freeSpace = { [self] in
                state.withLock {
                    $0.looks += 1
                    return $0.free
                }
            }
            return fileSystem
        }

        var looks: Int { state.withLock { $0.looks } }
        var free: FreeSpace { state.withLock { $0.free } }

        func fill(_ size: Int64) {
            state.withLock {
                $0.free.bytes -= size
                $0.free.files = $0.free.files.map { $0 - 1 }
            }
        }
    }

    /// Stages like a staging area until the disk is full or all sizes are staged. Returns the number of staged objects.
    private func stage(_ sizes: some Sequence<Int64>, on disk: Disk, reserve: SpaceReserve) throws -> Int {
        var allowance = SpaceAllowance()
        var count = 0
        for size in sizes {
            do {
                if !allowance.take(size) { allowance = try reserve.check(adding: size, to: "/a/b/c", disk.fileSystem) }
            } catch {
                #expect(error.isFullDisk)
                return count
            }
            disk.fill(size)
            count += 1
            #expect(disk.free.bytes >= reserve.bytes && disk.free.files.map { $0 + 1 >= reserve.files } ?? true)
        }
        return count
    }

    @Test func anEmptyDiskIsSeldomQueried() throws {
        let disk = Disk(bytes: 100 << 30, files: 1_000_000)
        #expect(try stage((0..<1_000).map { _ in 20_000 }, on: disk, reserve: .standard) == 1_000)
        #expect(disk.looks < 80)
    }

    @Test(arguments: [1, 3, 4_000, 70_000, 9 << 20])
    func theReserveOfBytesIsNeverTaken(_ size: Int64) throws {
        let disk = Disk(bytes: 40 << 20, files: 10_000_000)
        let reserve = SpaceReserve(bytes: (40 << 20) - min(100 * size, 30 << 20), files: 10_000)
        let count = try stage((0..<1_000).map { _ in size }, on: disk, reserve: reserve)
        #expect(count == min(100, (30 << 20) / Int(size)))
    }

    @Test func theReserveOfFilesIsNeverTaken() throws {
        let disk = Disk(bytes: 100 << 30, files: 1_500)
        let count = try stage((0..<1_000).map { _ in 10 }, on: disk, reserve: .standard)
        #expect(count == 501, "the query precedes each file, so the last file takes one of the reserve")
    }

    @Test func anUnknownSizeIsAlwaysQueried() throws {
        let disk = Disk(bytes: 100 << 30, files: 1_000_000)
        #expect(try stage([10, 0, 10, 0, 0], on: disk, reserve: .standard) == 5)
        #expect(disk.looks == 5)
    }

    /// Other writers fill the disk after each query. All allowances together use only a part of the reserve.
    @Test func severalWritersLeaveMostOfTheReserve() throws {
        let disk = Disk(bytes: 100 << 30, files: 1_000_000)
        let reserve = SpaceReserve.standard
        var allowances = try (0..<4).map { _ in try reserve.check(adding: 1, to: "/a/b/c", disk.fileSystem) }
        var taken: Int64 = 0
        for place in allowances.indices { while allowances[place].take(50_000) { taken += 50_000 } }
        #expect(taken > 0 && taken < reserve.bytes / 8)
    }

    /// After a refusal, a writer that continues is refused again.
    @Test func anAreaQueriesAgainAfterARefusal() throws {
        let disk = Disk(bytes: 100 << 30, files: 1_000_000)
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder["tmp"].string, withIntermediateDirectories: true)
        let area = try LocalStagingArea(in: folder["tmp"], disk.fileSystem, reserve: .standard)
        _ = try area.makeFile(expecting: 10)
        disk.fill((100 << 30) - 1_000)
        for size: Int64 in [60 << 20, 10, 10] {
            #expect(throws: ContainerError.self) { try area.makeFile(expecting: size) }
        }
    }

    /// Some file systems report more free bytes than an integer holds.
    @Test func anEndlessDiskHasRoom() throws {
        let disk = Disk(bytes: .max, files: .max)
        #expect(try stage([1 << 40, 5], on: disk, reserve: .standard) == 2)
    }
}
