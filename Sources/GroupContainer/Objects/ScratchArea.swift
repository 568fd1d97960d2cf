package import Files
package import ShareModel
package import SystemPackage

/// A staging area for work that stores nothing: it hashes content, and keeps none of it.
///
/// A large file is not copied, because the source itself can be looked into. Other large content, such as a part of an
/// archive, goes to a temporary file without a name. So nothing of it is left, however the process ends.
package final class ScratchArea: StagingArea {
    private let folder: FilePath
    private let fileSystem: any FileSystem

    /// - Parameter folder: the folder for temporary files.
    package init(in folder: FilePath = .temporaryFolder, fileSystem: any FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    package func makeFile(expecting size: Int64) -> any StagingFile { ScratchFile(in: folder, fileSystem) }

    package func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) -> StagedObject {
        StagedObject(digest: digest, size: Int64(bytes.count), place: Nowhere())
    }
}

/// Content that is hashed. Its bytes can be read as long as this value and the source live.
final class ScratchFile: StagingFile {
    /// The free space that a temporary file leaves to other programs, in bytes. It is checked each time that the file
    /// has grown by as much.
    static let reserve: Int64 = 64 << 20
    private static let pieceSize = 256 << 10

    private(set) var size: Int64 = 0
    private let folder: FilePath
    private let fileSystem: any FileSystem
    private var hasher = SHA256Hasher()
    private var temporary: FileDescriptor?
    private var source: FileDescriptor?
    /// The size at which the free space is checked again.
    private var checkedSize: Int64 = 0

    init(in folder: FilePath, _ fileSystem: any FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    deinit { try? temporary?.close() }

    /// A descriptor that cannot be read if nothing was written. Empty content needs no reading.
    var descriptor: FileDescriptor { source ?? temporary ?? FileDescriptor(rawValue: -1) }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        if size + Int64(bytes.count) > checkedSize { try checkSpace() }
        let file = try temporary ?? openTemporary()
        temporary = file
        hasher.update(bytes)
        do throws(FileError) {
            try fileSystem.writeAll(bytes, to: file, folder)
        } catch {
            guard error.code == .tooLarge else { throw error }
            throw ContainerError.tooLargeForAFile
        }
        size += Int64(bytes.count)
    }

    func finish() -> StagedObject { StagedObject(digest: hasher.finish(), size: size, place: Nowhere()) }

    /// Hashes the rest of the file. The caller keeps it open while it uses this value.
    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        self.source = source
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 4096)
        defer { buffer.deallocate() }
        hasher.update(first)
        size = Int64(first.count)
        if size > 0 { try body(first.count) }
        while case let count = try read(buffer), count > 0 {
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            size += Int64(count)
            try body(count)
        }
        return finish()
    }

    /// Opens a new file and removes its name.
    private func openTemporary() throws -> FileDescriptor {
        let path = folder.appending("sluice-\(UniqueName.make())")
        let file = try fileSystem.open(
            path, .readWrite, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
        do { try fileSystem.remove(path, isFolder: false) } catch {
            try? file.close()
            throw error
        }
        return file
    }

    private func checkSpace() throws {
        checkedSize = size + Self.reserve
        guard let free = try fileSystem.freeSpace(at: folder), free.bytes < 2 * Self.reserve else { return }
        throw ContainerError(
            .full, "\(free.bytes >> 20) MiB are free at \(folder), which is too little for temporary files",
            remedy: .makeRoom)
    }
}

/// The place of content that nothing keeps.
private struct Nowhere: StagedPlace {
    func discard() {}
}
