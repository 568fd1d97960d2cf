public import ShareModel
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// One writer's own folder in the container for unfinished writes. Not shared between threads.
///
/// A kernel lock on the folder says that its writer lives; whoever opens the container next removes the folders of the
/// dead.
public final class StagingArea {
    private let folder: FilePath
    private let lock: KernelLock
    private let spares = SpareFiles()
    private let fileSystem: any FileSystem
    private let reserve: SpaceReserve
    private var allowance = SpaceAllowance()
    private var count = 0

    init(in parent: FilePath, _ fileSystem: any FileSystem, reserve: SpaceReserve) throws(ContainerError) {
        self.fileSystem = fileSystem
        self.reserve = reserve
        while true {
            let name = "\(getpid())-\(UInt32.random(in: 0 ... .max))"
            let folder = parent.appending(name)
            try fileSystem.ensureFolder(folder)
            // A sweep may hold the new folder's lock for a moment, and will then remove it.
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

    /// Begins a new object.
    ///
    /// - Parameter size: how many bytes it will have, as far as that is known, so that there is room for them.
    /// - Throws: with code `full`, before anything is written, where it would take the reserve.
    public func makeFile(expecting size: Int64 = 0) throws(ContainerError) -> StagingFile {
        if !allowance.take(size) {
            allowance = SpaceAllowance()
            allowance = try reserve.check(adding: size, to: folder, fileSystem)
        }
        if let spare = spares.take() {
            try fileSystem.setMode(.ownerReadWrite, of: spare)
            return try StagingFile(spare, .truncate, spares, fileSystem)
        }
        count += 1
        return try StagingFile(folder.appending(String(count)), [.create, .exclusiveCreate], spares, fileSystem)
    }

    /// Takes an object that is at hand as a whole, whose digest is known.
    public func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws(ContainerError) -> StagedObject {
        let file = try makeFile(expecting: Int64(bytes.count))
        try file.write(bytes)
        return file.finish(digest)
    }

    /// Removes the folders of writers that are dead.
    static func sweep(_ parent: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        for name in try fileSystem.names(in: parent) {
            let folder = parent.appending(name)
            if let lock = try? KernelLock(folder: folder, fileSystem) {
                fileSystem.removeTree(folder)
                _ = consume lock
            }
        }
    }
}
