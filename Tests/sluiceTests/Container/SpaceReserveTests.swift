import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// The reserve stays free, although the writer does not query the free space for each object.
@Suite struct SpaceReserveTests {
    /// A disk that has only one writer.
    private final class Disk: Sendable {
        private let state: Mutex<(free: FreeSpace, looks: Int)>

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

    private static func room(_ disk: Disk, _ reserve: SpaceReserve, _ making: SpaceInTheMaking = SpaceInTheMaking())
        -> StagingRoom
    { StagingRoom("/a/b/c", disk.fileSystem, reserve: reserve, making) }

    /// Stages until the disk is full or all sizes are staged. Returns the number of staged objects.
    private func stage(_ sizes: some Sequence<Int64>, on disk: Disk, reserve: SpaceReserve) throws -> Int {
        let room = Self.room(disk, reserve)
        var count = 0
        for size in sizes {
            do {
                let object = try room.begin(size)
                disk.fill(size)
                object.use(size)
            } catch {
                #expect(error.isFullDisk)
                return count
            }
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
        #expect(disk.looks == 4)
    }

    /// An object of unknown size takes its bytes from the allowance, and at most half of the room.
    @Test func anObjectThatGrowsLeavesRoom() throws {
        let disk = Disk(bytes: 100 << 20, files: 1_000_000)
        let reserve = SpaceReserve(bytes: 20 << 20, files: 10)
        let room = Self.room(disk, reserve)
        let object = try room.begin(0)
        let piece: Int64 = 64 << 10
        var size: Int64 = 0
        let error = #expect(throws: ContainerError.self) {
            while size < 100 << 20 {
                try room.grow(by: piece, from: size)
                disk.fill(piece)
                object.use(piece)
                size += piece
            }
        }
        #expect(error?.code == .tooLarge && error?.message.contains("it has more than") == true)
        #expect(size > 38 << 20 && size <= 41 << 20, "\(size)")
        #expect(disk.looks < 400)
    }

    /// Two large objects that are written at once do not count on the same room.
    @Test func anUnfinishedObjectKeepsItsRoom() throws {
        let disk = Disk(bytes: 100 << 20, files: 1_000_000)
        let making = SpaceInTheMaking()
        let (one, two) = (Self.room(disk, .none, making), Self.room(disk, .none, making))
        do {
            let first = try one.begin(60 << 20)
            #expect(throws: ContainerError.self) { try two.begin(60 << 20) }
            disk.fill(50 << 20)
            first.use(50 << 20)
            #expect(throws: ContainerError.self) { try two.begin(41 << 20) }
            _ = try two.begin(39 << 20)
            #expect(throws: ContainerError.self) { try two.begin(90 << 20) }
            disk.fill(-50 << 20)
        }
        _ = try two.begin(90 << 20)
    }

    /// A disk is full if no other object has room either, even after the unfinished objects are discarded.
    @Test func aLargeObjectIsNoFullDisk() throws {
        let (disk, making) = (Disk(bytes: 10 << 20, files: 1_000_000), SpaceInTheMaking())
        let (one, two) = (Self.room(disk, .none, making), Self.room(disk, .none, making))
        func code(_ size: Int64) -> ContainerError.Code? {
            do { _ = try two.begin(size) } catch { return (error as? ContainerError)?.code }
            return nil
        }
        #expect(code(11 << 20) == .tooLarge)
        #expect(code(.max) == .tooLarge)
        do {
            let first = try one.begin(10 << 20)
            #expect(code(1 << 20) == .tooLarge, "the first object may still be discarded")
            disk.fill(9 << 20)
            first.use(9 << 20)
            #expect(code(1 << 20) == .tooLarge)
            disk.fill(-9 << 20)
            withExtendedLifetime(first) {}
        }
        disk.fill(10 << 20 - SpaceReserve.leastRoom + 1)
        #expect(code(SpaceReserve.leastRoom) == .full)
        #expect(code(SpaceReserve.leastRoom / 2) == nil)
    }

    /// The reason is that of the disk, so it is the same for each content.
    @Test(arguments: [
        (SpaceReserve.none, "the file system at /a is full", Remedy.makeRoom),
        (
            SpaceReserve(bytes: 60 << 20, files: 10), "the file system at /a is full up to the reserve of 60 MiB",
            Remedy.makeRoomOrLowerReserve
        ),
    ])
    func aFullDiskHasOneReason(_ reserve: SpaceReserve, _ message: String, _ remedy: Remedy) {
        for (free, size): (Int64, Int64) in [(1_000, 9_518), (20_000, 100 << 10), (0, 1)] {
            let room = Self.room(Disk(bytes: reserve.bytes + free, files: 1_000), reserve)
            let error = #expect(throws: ContainerError.self) { _ = try room.begin(size) }
            #expect(error?.code == .full && error?.message == message && error?.remedy == remedy)
        }
    }

    /// A file system may have less room than it reports, as with a quota.
    @Test func aFailedWriteIsAsIfThereWereNoRoom() {
        let room = Self.room(Disk(bytes: 10 << 20, files: 10), .none)
        let failure = room.failure(FileError(.full, "no space left"))
        #expect((failure as? ContainerError)?.code == .tooLarge && "\(failure)".contains("no space left"))
        let full = Self.room(Disk(bytes: SpaceReserve.leastRoom - 1, files: 10), .none)
        #expect((full.failure(FileError(.full, "")) as? FileError)?.code == .full)
        let other = room.failure(FileError(.denied, ""))
        #expect((other as? FileError)?.code == .denied)
    }

    /// The disk has room, and its figures know no quota. If the unfinished object gives room back, only that object fails.
    @Test func aQuotaThatIsUsedUpIsAFullDisk() throws {
        let room = Self.room(Disk(bytes: 100 << 30, files: 1_000_000), .none)
        let quota = FileError(.diskQuotaExceeded, "writing", "/a")
        let object = try room.begin(SpaceReserve.leastRoom)
        object.use(SpaceReserve.leastRoom - 1)
        #expect((room.failure(quota) as? FileError)?.code == .full)
        object.use(1)
        #expect((room.failure(quota) as? ContainerError)?.code == .tooLarge)
        withExtendedLifetime(object) {}
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
        let room = Self.room(disk, .standard)
        let huge = try (0..<2).map { _ in try room.begin(1 << 61) }
        #expect(huge.count == 2)
    }
}
