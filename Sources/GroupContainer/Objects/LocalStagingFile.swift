internal import Files
internal import ShareModel
internal import Synchronization
package import SystemPackage

/// An object that is being written into a file below the container's `tmp`.
package final class LocalStagingFile: StagingFile {
    package let descriptor: FileDescriptor
    package private(set) var size: Int64 = 0
    let path: FilePath
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    // Lazy, because only `append` needs it: a copy is hashed by another thread, and small content before it is staged.
    private lazy var hasher = SHA256Hasher()
    /// Whether the file has the mode of an object from the start: a new file has it, a reused one has not.
    private let isReadOnly: Bool
    private var isFinished = false

    init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions, _ spares: SpareFiles, _ fileSystem: any FileSystem
    ) throws {
        isReadOnly = options.contains(.create)
        descriptor = try fileSystem.open(path, .readWrite, options.union(.noFollow), mode: .object)
        self.fileSystem = fileSystem
        self.path = path
        self.spares = spares
    }

    deinit {
        try? descriptor.close()
        // An unfinished file can be overwritten like that of a discarded object.
        if !isFinished { spares.give(path) }
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        hasher.update(bytes)
        try write(bytes)
    }

    package func finish() -> StagedObject { finish(hasher.finish()) }

    /// The kernel copies or shares the blocks if it can. A second thread hashes the *staged* bytes close behind.
    package func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        finish(try OverlappedCopy(from: source, to: self, fileSystem).run(first, read, body))
    }

    /// Counts bytes that another writer appended to the descriptor.
    func grow(by count: Int) { size += Int64(count) }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try fileSystem.writeAll(bytes, to: descriptor, path)
        size += Int64(bytes.count)
    }

    func finish(_ digest: Digest) -> StagedObject {
        isFinished = true
        return StagedObject(
            digest: digest, size: size, place: LocalStagedFile(path: path, isReadOnly: isReadOnly, spares: spares))
    }
}

/// The file of a staged object.
struct LocalStagedFile: StagedPlace {
    let path: FilePath
    let isReadOnly: Bool
    let spares: SpareFiles

    func discard() { spares.give(path) }
}

/// The files of discarded objects, which the next objects overwrite.
///
/// If most content is known already, the file system would otherwise make and remove a file for each object. No other
/// operation costs it as much.
final class SpareFiles: Sendable {
    private let paths = Mutex<[FilePath]>([])

    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    func give(_ path: FilePath) { paths.withLock { $0.append(path) } }
}
