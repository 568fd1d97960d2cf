public import ShareModel
public import SystemPackage

/// An object that is being written, in one pass. Thrown away unless it is finished.
public final class StagingFile {
    /// Open for reading too, so that the staged bytes can be looked into.
    public let descriptor: FileDescriptor
    /// In bytes, so far.
    public private(set) var size: Int64 = 0
    let path: FilePath
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    private lazy var hasher = SHA256Hasher()
    /// Whether it has the mode of an object from the beginning, as a new file has and a spare one has not.
    private let isReadOnly: Bool
    private var isFinished = false

    init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions, _ spares: SpareFiles, _ fileSystem: any FileSystem
    ) throws(ContainerError) {
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

    /// Writes all of `bytes`, however many writes that takes, and hashes them on their way.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
        hasher.update(bytes)
        try write(bytes)
    }

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    public func finish() -> StagedObject { finish(hasher.finish()) }

    /// Takes all that is left of an open file, whose position moves to its end.
    ///
    /// The system copies, or shares the blocks, where it can, while a second thread hashes what was *staged*, close
    /// behind: the bytes hashed are the bytes stored, also where the source changes meanwhile. Nothing may be appended
    /// before or after.
    ///
    /// - Parameters:
    ///   - first: what was read of it already.
    ///   - read: reads on in the source, where the system cannot copy: how many bytes there were, 0 at the end.
    ///   - body: told of each piece that was copied, in bytes; ends the copying by what it throws.
    public func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        finish(try OverlappedCopy(from: source, to: self, fileSystem).run(first, read, body))
    }

    /// Counts what was written past it.
    func grow(by count: Int) { size += Int64(count) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
        try fileSystem.writeAll(bytes, to: descriptor, path)
        size += Int64(bytes.count)
    }

    func finish(_ digest: Digest) -> StagedObject {
        isFinished = true
        return StagedObject(digest: digest, size: size, path: path, isReadOnly: isReadOnly, spares: spares)
    }
}

/// A whole object in a staging area, on its way into the store.
public struct StagedObject: Sendable {
    /// The SHA-256 of all that was written: the name that the object will have.
    public let digest: Digest
    /// In bytes.
    public let size: Int64
    let path: FilePath
    let isReadOnly: Bool
    private let spares: SpareFiles

    init(digest: Digest, size: Int64, path: FilePath, isReadOnly: Bool, spares: SpareFiles) {
        self.digest = digest
        self.size = size
        self.path = path
        self.isReadOnly = isReadOnly
        self.spares = spares
    }

    /// Gives the staged bytes up; for those that will not be committed. At most once.
    public func discard() { spares.give(path) }
}
