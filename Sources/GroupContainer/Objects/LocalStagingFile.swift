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
    /// Whether the file has the mode of an object from the start: a new file has it unless the user's mask takes a part of
    /// it away, a reused one has not.
    private let isReadOnly: Bool
    private var isFinished = false

    /// - Parameter isMasked: whether the user's mask takes a part of an object's mode away from new files.
    init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions, isMasked: Bool, _ spares: SpareFiles,
        _ fileSystem: any FileSystem
    ) throws {
        isReadOnly = options.contains(.create) && !isMasked
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
/// operation costs it as much. A spare file is empty, so it takes no room from the next objects.
final class SpareFiles: Sendable {
    private let fileSystem: any FileSystem
    private let paths = Mutex<[FilePath]>([])

    init(_ fileSystem: any FileSystem) { self.fileSystem = fileSystem }

    /// A file that its owner can write, if there is one.
    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    /// Empties a file and keeps it, or removes it if that fails.
    func give(_ path: FilePath) {
        do {
            // The file may have an object's mode, which forbids writing.
            try fileSystem.setMode(.ownerReadWrite, of: path)
            let file = try fileSystem.open(path, .writeOnly, [.truncate, .noFollow], mode: .object)
            try? file.close()
            paths.withLock { $0.append(path) }
        } catch {
            // The area may have ended, and then the file is gone already.
            try? fileSystem.remove(path, isFolder: false)
        }
    }
}
