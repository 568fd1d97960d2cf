internal import Files
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// The names that a writer takes in `objects`, on record before it takes them.
///
/// A writer may be killed between the names and the rows of a batch. Then the next opening of the container finds the
/// record in the folder of the dead writer, and removes the objects that have no row. The record is not synced: after a
/// power cut, such objects wait for a collection.
final class TakenNames: Sendable {
    /// The number of names at which a new record is begun. The one before is kept beside it, so at least this number of the
    /// latest names is on record. The batches that are stored and have no rows yet have fewer.
    static let limit = 4_096
    /// The largest record that is read, in bytes: 65 for each name.
    private static let recordLimit = 4 << 20
    private static let file: FilePath.Component = "names"
    private static let earlierFile: FilePath.Component = "names.old"

    private struct State {
        var folder: WriterFolder?
        var file: FileDescriptor?
        var count = 0
    }

    private let parent: FilePath
    private let fileSystem: any FileSystem
    private let state = Mutex(State())

    /// A record in a folder of its own below `parent`, which is made with the first name.
    init(below parent: FilePath, _ fileSystem: any FileSystem) { (self.parent, self.fileSystem) = (parent, fileSystem) }

    deinit { state.withLock { try? $0.file?.close() } }

    func record(_ digests: some Collection<Digest>) throws {
        guard !digests.isEmpty else { return }
        let lines = digests.map { "\($0)\n" }.joined()
        try state.withLock { state in
            let folder = try state.folder ?? WriterFolder(in: parent, fileSystem)
            state.folder = folder
            let path = folder.path.appending(Self.file)
            if state.count >= Self.limit {
                try state.file.take()?.close()
                try fileSystem.move(path, to: folder.path.appending(Self.earlierFile))
                state.count = 0
            }
            let file =
                try state.file ?? fileSystem.open(path, .writeOnly, [.create, .noFollow], mode: .ownerReadWrite)
            state.file = file
            try Array(lines.utf8).withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
            state.count += digests.count
        }
    }

    /// Keeps the record when this value ends: the writer failed, and some of its objects may have no row.
    func keep() { state.withLock { $0.folder?.keep() } }

    /// Whether the folder of a dead writer has a record.
    static func exist(in folder: FilePath, _ fileSystem: any FileSystem) -> Bool {
        (try? fileSystem.exists(folder.appending(file))) ?? false
    }

    /// The names on record in the folder of a dead writer.
    static func read(in folder: FilePath, _ fileSystem: any FileSystem) throws -> [Digest] {
        try [earlierFile, file].flatMap { name -> [Digest] in
            let path = folder.appending(name)
            guard try fileSystem.exists(path) else { return [] }
            // A larger record waits for a collection.
            let bytes = try fileSystem.bytes(of: path, limit: recordLimit) ?? []
            // The writer may have died within a line.
            return bytes.split(separator: UInt8(ascii: "\n")).compactMap { Digest(String(decoding: $0, as: UTF8.self)) }
        }
    }
}
