internal import Files
internal import Glibc
package import ShareModel
internal import SystemPackage

/// One writer's own folder in the container for unfinished writes.
///
/// The writer holds a kernel lock on the folder while it lives. The next opening of the container removes the folders
/// of dead writers.
package final class LocalStagingArea: StagingArea {
    private let folder: FilePath
    private let lock: KernelLock
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    private let room: StagingRoom
    private var count = 0
    /// Whether the user's mask takes a part of an object's mode away from new files; `nil` before the first file.
    private var isMasked: Bool?

    init(
        in parent: FilePath, _ fileSystem: any FileSystem, reserve: SpaceReserve,
        _ making: SpaceInTheMaking = SpaceInTheMaking()
    ) throws {
        self.fileSystem = fileSystem
        spares = SpareFiles(fileSystem)
        while true {
            let name = "\(getpid())-\(UInt32.random(in: 0 ... .max))"
            let folder = parent.appending(name)
            try fileSystem.ensureFolder(folder)
            // A sweep of another process may lock the new folder before this writer does, and then removes it.
            do {
                guard let lock = try KernelLock(folder: folder, fileSystem), try fileSystem.exists(folder) else {
                    continue
                }
                self.folder = folder
                self.lock = lock
                room = StagingRoom(folder, fileSystem, reserve: reserve, making)
                return
            } catch {
                guard try !fileSystem.exists(folder) else { throw error }
            }
        }
    }

    deinit { fileSystem.removeTree(folder) }

    package var isNearlyFull: Bool { room.isScarce }

    package func makeFile(expecting size: Int64) throws -> any StagingFile { try makeLocalFile(expecting: size) }

    private func makeLocalFile(expecting size: Int64) throws -> LocalStagingFile {
        let space = try room.begin(size)
        if let spare = spares.take() {
            return try LocalStagingFile(spare, [], spares, fileSystem, room, space, checked: size)
        }
        count += 1
        let path = folder.appending(String(count))
        let file = try LocalStagingFile(
            path, [.create, .exclusiveCreate], spares, fileSystem, room, space, checked: size)
        file.mode = .masked
        if try !masksNewFiles(path) { file.mode = .object }
        return file
    }

    /// Finds out what the user's mask does to new files. A process cannot read its mask without changing it, so the mode of
    /// its first file tells.
    private func masksNewFiles(_ path: FilePath) throws -> Bool {
        if let isMasked { return isMasked }
        let isMasked = try fileSystem.status(of: path)?.permissions != .object
        self.isMasked = isMasked
        return isMasked
    }

    package func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        let file = try makeLocalFile(expecting: Int64(bytes.count))
        try file.write(bytes)
        return file.finish(digest)
    }

    /// Removes the folders of dead writers.
    static func sweep(_ parent: FilePath, _ fileSystem: any FileSystem) throws {
        for name in try fileSystem.names(in: parent) {
            let folder = parent.appending(name)
            // A folder whose lock is free has no writer: the kernel releases the lock when its process ends.
            guard let lock = try? KernelLock(folder: folder, fileSystem) else { continue }
            withExtendedLifetime(lock) { fileSystem.removeTree(folder) }
        }
    }
}
