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
    var mode = StagingMode.writable
    private var isFinished = false
    private let room: StagingRoom
    private let space: ObjectSpace
    /// The number of bytes that may be written before there is another check for room.
    private var checked: Int64
    private let syncs: Bool

    /// - Parameters:
    ///   - syncs: whether the bytes are synced when the file is finished.
    ///   - checked: the number of bytes that have room; more are checked while they are written.
    init(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions, _ spares: SpareFiles, _ fileSystem: any FileSystem,
        _ room: StagingRoom, _ space: ObjectSpace, checked: Int64, syncs: Bool = false
    ) throws {
        (self.room, self.space, self.checked, self.syncs) = (room, space, checked, syncs)
        descriptor = try fileSystem.open(path, .readWrite, options.union(.noFollow), mode: .object)
        self.fileSystem = fileSystem
        self.path = path
        self.spares = spares
    }

    deinit {
        try? descriptor.close()
        // An unfinished file can be overwritten like that of a discarded object.
        if !isFinished { spares.give(path, mode) }
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

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try grow(by: bytes.count) {
            try fileSystem.writeAll(bytes, to: descriptor, path)
            return bytes.count
        }
    }

    /// Lets the system copy from the position of a file to this one, within the size that was checked.
    ///
    /// - Returns: the number of bytes, 0 at the end; `nil` if the system cannot copy, or the size is reached.
    func copy(atMost count: Int, from source: FileDescriptor) throws -> Int? {
        let count = Int(min(Int64(count), checked))
        guard count > 0 else { return nil }
        var isAble = true
        let before = size
        try grow(by: count) {
            let copied = try fileSystem.copy(count, from: source, to: descriptor, path)
            isAble = copied != nil
            return copied ?? 0
        }
        return isAble ? Int(size - before) : nil
    }

    /// Makes a call that writes at most `count` bytes and returns their number.
    private func grow(by count: Int, _ call: () throws -> Int) throws {
        let count = Int64(count)
        if count > checked {
            try room.grow(by: count - checked, from: size)
            checked = count
        }
        do {
            let written = Int64(try call())
            size += written
            checked -= written
            space.use(written)
        } catch let error as FileError {
            throw room.failure(error)
        }
    }

    func finish(_ digest: Digest) -> StagedObject {
        isFinished = true
        var failure: FileError?
        // Through this descriptor, because Linux may forget a failed write that happened before another one was opened.
        if syncs { do throws(FileError) { try fileSystem.sync(descriptor, path) } catch { failure = error } }
        return StagedObject(
            digest: digest, size: size, place: LocalStagedFile(path: path, mode: mode, spares: spares, failure: failure)
        )
    }
}

/// The file of a staged object.
final class LocalStagedFile: StagedPlace {
    let path: FilePath
    let mode: StagingMode
    /// Why the bytes may not be durable, if they should be.
    let failure: FileError?
    private let spares: SpareFiles

    init(path: FilePath, mode: StagingMode, spares: SpareFiles, failure: FileError? = nil) {
        self.failure = failure
        self.path = path
        self.mode = mode
        self.spares = spares
    }

    func discard() { spares.give(path, mode) }
}

/// The mode of a staged file, before it is moved into place.
enum StagingMode {
    /// The file has the mode of an object from the start.
    case object
    /// The user's mask has taken a part of that mode away. The owner cannot write the file either.
    case masked
    /// The file is reused, and its owner can write it.
    case writable
}

/// The files of discarded objects, which the next objects overwrite.
///
/// If most content is known already, the file system would otherwise make and remove a file for each object. No other
/// operation costs it as much. A spare file is empty, so it takes no room from the next objects.
final class SpareFiles: Sendable {
    private let fileSystem: any FileSystem
    private let paths = Mutex<[FilePath]>([])

    init(_ fileSystem: any FileSystem) { self.fileSystem = fileSystem }

    /// An empty file that its owner can write, if there is one.
    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    /// Empties a file and keeps it, or removes it if that fails.
    ///
    func give(_ path: FilePath, _ mode: StagingMode) {
        do {
            if mode != .writable { try fileSystem.setMode(.ownerReadWrite, of: path) }
            let file = try fileSystem.open(path, .writeOnly, [.truncate, .noFollow], mode: .object)
            try? file.close()
            // Two objects in one file would have the bytes of one of them.
            paths.withLock { if !$0.contains(path) { $0.append(path) } }
        } catch {
            // The area may have ended, and then the file is gone already.
            try? fileSystem.remove(path, isFolder: false)
        }
    }
}
