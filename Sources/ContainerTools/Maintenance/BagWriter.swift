internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// Writes a bag (RFC 8493) into its own folder. The folder becomes a bag only when ``finish(info:)`` puts `bagit.txt`
/// into place, after everything else is durable.
final class BagWriter {
    private static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    static let payload = "data/"

    private let root: FilePath
    private let fileSystem: any FileSystem
    /// Open before anything is written, because Linux reports a failed write only to descriptors that were open before it.
    private let folder: FileDescriptor
    private let manifest: TagFile
    private let tagManifest: TagFile
    private(set) var files = 0
    private(set) var bytes: Int64 = 0

    /// A written file of the bag that no manifest lists yet.
    struct Entry {
        let path: String
        let digest: Digest
        let size: Int64
    }

    /// - Throws: `ContainerError` if the folder has content.
    init(_ root: FilePath, _ fileSystem: any FileSystem) throws {
        self.root = root
        self.fileSystem = fileSystem
        if try fileSystem.exists(root), try !fileSystem.names(in: root).isEmpty {
            throw ContainerError(.system, "\(root) is not empty; name a new folder for the bag, or empty it")
        }
        try fileSystem.ensureFolders(root.appending("data"))
        let folder = try fileSystem.open(root, .readOnly, .directory)
        self.folder = folder
        do {
            manifest = try TagFile(root.appending("manifest-sha256.txt"), fileSystem)
            tagManifest = try TagFile(root.appending("tagmanifest-sha256.txt"), fileSystem)
        } catch {
            // `deinit` does not run for an object that is not complete.
            try? folder.close()
            throw error
        }
    }

    deinit { try? folder.close() }

    func isTaken(_ path: String) throws -> Bool { try fileSystem.exists(root.appending(path)) }

    /// Writes and hashes a file. It belongs to the bag once ``list(_:)`` has listed it.
    ///
    /// - Parameter modified: the time that the file gets; `nil` for the present time.
    func write(
        _ path: String, modified: Timestamp? = nil,
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws -> Entry {
        // The path may come from a row, which may be damaged. It must not lead out of the bag.
        guard let target = root.place(of: path) else {
            throw ContainerError(.catalog, "\(path) leads out of the bag; the catalog is damaged, restore a backup")
        }
        try fileSystem.ensureFolders(target.removingLastComponent())
        let file = try fileSystem.open(
            target, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
        return try file.closeAfter {
            let hasher = SHA256Hasher()
            var size: Int64 = 0
            try body { bytes in
                hasher.update(bytes)
                try fileSystem.writeAll(bytes, to: file, target)
                size += Int64(bytes.count)
            }
            if let modified { fileSystem.setModified(modified, of: target) }
            return Entry(path: path, digest: hasher.finish(), size: size)
        }
    }

    func write(_ path: String, _ bytes: [UInt8], modified: Timestamp? = nil) throws -> Entry {
        try write(path, modified: modified) { write in try bytes.withUnsafeBytes { try write($0) } }
    }

    /// Adds a written file to its manifest: of the payload or of the tag files.
    func list(_ entry: Entry) throws {
        let isPayload = entry.path.hasPrefix(Self.payload)
        try (isPayload ? manifest : tagManifest).append(entry)
        guard isPayload else { return }
        files += 1
        bytes += entry.size
    }

    /// Removes a written file that no manifest lists, and the folders that become empty.
    func discard(_ path: String) {
        let file = root.appending(path)
        try? fileSystem.remove(file, isFolder: false)
        fileSystem.removeEmptyFolders(from: file.removingLastComponent(), below: root.appending(Self.payload))
    }

    /// Completes the bag and makes it durable.
    ///
    /// - Parameter info: the lines of `bag-info.txt` before the payload's sum.
    func finish(info: [(name: String, value: String)]) throws {
        let sum = info + [("Payload-Oxum", "\(bytes).\(files)")]
        let text = sum.map { "\($0.name): \($0.value)\n" }.joined()
        try list(write("bag-info.txt", Array(text.utf8)))
        // The size of a tag file does not matter, because only the payload counts in the sum.
        try list(Entry(path: "manifest-sha256.txt", digest: manifest.finish(), size: 0))
        try list(
            Entry(path: "bagit.txt", digest: Digest(of: Self.declaration), size: 0))
        _ = try tagManifest.finish()
        // A rename after the sync of everything else: a crash leaves a folder without `bagit.txt`, which is no bag.
        let unnamed = root.appending("bagit.txt.new")
        _ = try write("bagit.txt.new", Array(Self.declaration.utf8))
        try fileSystem.syncAll(folder, root)
        try fileSystem.move(unnamed, to: root.appending("bagit.txt"))
        try fileSystem.sync(folder, root)
    }
}

/// A manifest that is written line by line, so that memory does not grow with the bag.
private final class TagFile {
    private static let buffered = 64 << 10
    private let path: FilePath
    private let file: FileDescriptor
    private let fileSystem: any FileSystem
    private let hasher = SHA256Hasher()
    private var buffer: [UInt8] = []

    init(_ path: FilePath, _ fileSystem: any FileSystem) throws {
        self.path = path
        self.fileSystem = fileSystem
        file = try fileSystem.open(path, .writeOnly, [.create, .exclusiveCreate, .noFollow], mode: .ownerReadWrite)
    }

    deinit { try? file.close() }

    func append(_ entry: BagWriter.Entry) throws {
        buffer += "\(entry.digest)  ".utf8
        buffer += BagPath.encode(entry.path.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.buffered { try flush() }
    }

    func finish() throws -> Digest {
        try flush()
        return hasher.finish()
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            hasher.update(bytes)
            try fileSystem.writeAll(bytes, to: file, path)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
