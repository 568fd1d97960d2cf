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
    private let reserve: SpaceReserve
    private var allowance = SpaceAllowance()
    private var count = 0
    /// Whether the user's mask takes a part of an object's mode away from new files; `nil` before the first file.
    private var isMasked: Bool?

    init(in parent: FilePath, _ fileSystem: any FileSystem, reserve: SpaceReserve) throws {
        self.fileSystem = fileSystem
        self.reserve = reserve
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
                return
            } catch {
                guard try !fileSystem.exists(folder) else { throw error }
            }
        }
    }

    deinit { fileSystem.removeTree(folder) }

    package func makeFile(expecting size: Int64) throws -> any StagingFile { try makeLocalFile(expecting: size) }

    private func makeLocalFile(expecting size: Int64) throws -> LocalStagingFile {
        if !allowance.take(size) {
            allowance = SpaceAllowance()
            allowance = try reserve.check(adding: size, to: folder, fileSystem)
        }
        if let spare = spares.take() {
            return try LocalStagingFile(spare, .truncate, isMasked: false, spares, fileSystem)
        }
        count += 1
        let path = folder.appending(String(count))
        return try LocalStagingFile(
            path, [.create, .exclusiveCreate], isMasked: masksNewFiles(path), spares, fileSystem)
    }

    /// Finds out what the user's mask does to new files. A process cannot read its mask without changing it, so the mode of
    /// an empty file tells.
    private func masksNewFiles(_ path: FilePath) throws -> Bool {
        if let isMasked { return isMasked }
        let probe = path.removingLastComponent().appending("mode")
        try fileSystem.open(probe, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .object).close()
        let isMasked = try fileSystem.status(of: probe)?.permissions != .object
        try fileSystem.remove(probe, isFolder: false)
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
