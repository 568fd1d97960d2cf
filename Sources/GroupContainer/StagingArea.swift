#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif
public import ShareModel
public import SystemPackage

/// One writer's own folder in the container for unfinished writes. Not shared between threads.
///
/// A kernel lock on the folder says that its writer lives; whoever opens the container next removes the folders of the
/// dead.
public final class StagingArea {
    private let folder: FilePath
    private let lock: KernelLock
    private var count = 0

    init(in parent: FilePath) throws(ContainerError) {
        while true {
            let name = "\(getpid())-\(UInt32.random(in: 0 ... .max))"
            let folder = parent.appending(name)
            try Posix.makeFolder(folder)
            // A sweep may hold the new folder's lock for a moment, and will then remove it.
            if let lock = try KernelLock(folder: folder), Posix.exists(folder) {
                self.folder = folder
                self.lock = lock
                return
            }
        }
    }

    deinit { Posix.removeTree(folder) }

    /// Begins a new object.
    public func makeFile() throws(ContainerError) -> StagingFile {
        count += 1
        return try StagingFile(folder.appending(String(count)))
    }

    /// Removes the folders of writers that are dead.
    static func sweep(_ parent: FilePath) throws(ContainerError) {
        for name in try Posix.names(in: parent) {
            let folder = parent.appending(name)
            if let lock = try? KernelLock(folder: folder) {
                Posix.removeTree(folder)
                _ = consume lock
            }
        }
    }
}

/// An object that is being written: hashed on its way, in one pass. Removed unless it is finished.
public final class StagingFile {
    /// Open for reading too, so that the staged bytes can be looked into.
    public let descriptor: FileDescriptor
    /// In bytes, so far.
    public private(set) var size: Int64 = 0
    private let path: FilePath
    private let hasher = SHA256Hasher()
    private var isFinished = false

    init(_ path: FilePath) throws(ContainerError) {
        // Read-only for everybody from its first byte on; this descriptor alone can write.
        descriptor = try Posix.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o400)
        self.path = path
    }

    deinit {
        try? descriptor.close()
        if !isFinished { Posix.remove(path) }
    }

    /// Writes all of `bytes`, however many writes that takes.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
        hasher.update(bytes)
        do {
            try descriptor.writeAll(bytes)
        } catch let failure as Errno {
            throw ContainerError(failure, "writing", path)
        } catch {
            throw ContainerError(.system, "writing \(path) failed: \(error)")
        }
        size += Int64(bytes.count)
    }

    /// Ends the writing. The object is whole, but neither durable nor visible before the store commits it.
    public func finish() -> StagedObject {
        isFinished = true
        return StagedObject(digest: hasher.finish(), size: size, path: path)
    }
}

/// A whole object in a staging area, on its way into the store.
public struct StagedObject: Sendable, Hashable {
    public let digest: Digest
    /// In bytes.
    public let size: Int64
    let path: FilePath

    /// Removes the staged bytes; for those that will not be committed.
    public func discard() { Posix.remove(path) }
}
