public import ShareModel
internal import Synchronization
public import SystemPackage

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
    private var count = 0

    init(in parent: FilePath, _ fileSystem: any FileSystem) throws(ContainerError) {
        self.fileSystem = fileSystem
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
    public func makeFile() throws(ContainerError) -> StagingFile {
        if let spare = spares.take() { return try StagingFile(spare, .truncate, spares, fileSystem) }
        count += 1
        return try StagingFile(folder.appending(String(count)), [.create, .exclusiveCreate], spares, fileSystem)
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

/// The files of discarded objects, to be written over: where most content is known already, the file system would
/// otherwise make and remove a file for each, which is the dearest thing that it does.
final class SpareFiles: Sendable {
    private let paths = Mutex<[FilePath]>([])

    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    func give(_ path: FilePath) { paths.withLock { $0.append(path) } }
}

/// An object that is being written: hashed on its way, in one pass. Thrown away unless it is finished.
public final class StagingFile {
    /// Open for reading too, so that the staged bytes can be looked into.
    public let descriptor: FileDescriptor
    /// In bytes, so far.
    public private(set) var size: Int64 = 0
    private let path: FilePath
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    private let hasher = SHA256Hasher()
    private var isFinished = false

    init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions, _ spares: SpareFiles, _ fileSystem: any FileSystem
    ) throws(ContainerError) {
        descriptor = try fileSystem.open(path, .readWrite, options.union(.noFollow), mode: .ownerReadWrite)
        self.fileSystem = fileSystem
        self.path = path
        self.spares = spares
    }

    deinit {
        try? descriptor.close()
        if !isFinished { spares.give(path) }
    }

    /// Writes all of `bytes`, however many writes that takes.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
        hasher.update(bytes)
        try fileSystem.writeAll(bytes, to: descriptor, path)
        size += Int64(bytes.count)
    }

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    public func finish() -> StagedObject {
        isFinished = true
        return StagedObject(digest: hasher.finish(), size: size, path: path, spares: spares)
    }
}

/// A whole object in a staging area, on its way into the store.
public struct StagedObject: Sendable {
    /// The SHA-256 of all that was written: the name that the object will have.
    public let digest: Digest
    /// In bytes.
    public let size: Int64
    let path: FilePath
    private let spares: SpareFiles

    init(digest: Digest, size: Int64, path: FilePath, spares: SpareFiles) {
        self.digest = digest
        self.size = size
        self.path = path
        self.spares = spares
    }

    /// Gives the staged bytes up; for those that will not be committed. At most once.
    public func discard() { spares.give(path) }
}
