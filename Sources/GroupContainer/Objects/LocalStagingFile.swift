internal import Files
internal import ShareModel
internal import Synchronization
package import SystemPackage

/// An object that is being written into a file of the container's own.
package final class LocalStagingFile: StagingFile {
    package let descriptor: FileDescriptor
    package private(set) var size: Int64 = 0
    let path: FilePath
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    private lazy var hasher = SHA256Hasher()
    /// Whether it has the mode of an object from the beginning, as a new file has and a spare one has not.
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
        if !isFinished { spares.give(path) }
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        hasher.update(bytes)
        try write(bytes)
    }

    package func finish() -> StagedObject { finish(hasher.finish()) }

    /// The system copies, or shares the blocks, where it can, while a second thread hashes what was *staged*, close
    /// behind.
    package func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        finish(try OverlappedCopy(from: source, to: self, fileSystem).run(first, read, body))
    }

    /// Counts what was written past it.
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

/// The files of discarded objects, to be written over: where most content is known already, the file system would
/// otherwise make and remove a file for each, which is the dearest thing that it does.
final class SpareFiles: Sendable {
    private let paths = Mutex<[FilePath]>([])

    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    func give(_ path: FilePath) { paths.withLock { $0.append(path) } }
}
