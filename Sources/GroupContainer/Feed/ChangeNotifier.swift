internal import Files
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// Writes the file `run/changes` after each commit, which wakes the observers that watch the file.
///
/// The file has the epoch and the number of the last change. A catalog whose last number is smaller was restored from a
/// copy.
struct ChangeNotifier: Sendable {
    private let epoch: String
    private let path: FilePath
    private let fileSystem: any FileSystem

    /// The notifier of a catalog that was opened for writing. Begins a new epoch if the catalog was copied or restored.
    ///
    /// *Must:* the caller holds the lock `setup`.
    init(_ layout: ContainerLayout, _ database: CatalogDatabase, _ fileSystem: any FileSystem) throws {
        // A container that was renamed keeps it.
        let file = try fileSystem.identity(of: layout.catalog) ?? ""
        let told = Self.told(layout.changes, fileSystem)
        let known = try database.read { database -> String? in
            guard let epoch = try MetaRow.fetch(database, MetaRow.epoch) else { return nil }
            guard try MetaRow.fetch(database, MetaRow.file) == file else { return nil }
            // Observers know numbers that this catalog will use again.
            let isBehind = try told?.epoch == epoch && ChangeRow.last(database) < told?.number ?? 0
            return isBehind ? nil : epoch
        }
        epoch = try known ?? Self.renew(database, file: file)
        path = layout.changes
        self.fileSystem = fileSystem
    }

    /// Begins a new epoch, and records the catalog's file with it.
    private static func renew(_ database: CatalogDatabase, file: String) throws -> String {
        let epoch = ChangeCursor.newEpoch()
        try database.write { database in
            try MetaRow.set(database, MetaRow.epoch, epoch)
            try MetaRow.set(database, MetaRow.file, file)
        }
        return epoch
    }

    /// Writes the number of the last change. A failure is ignored: the commit is durable, and observers read its
    /// changes together with the next ones. The file is never synced, because each number in it was durable before.
    func notify(_ number: Int64) {
        // All texts have the same length, so each overwrites the one before as a whole.
        let text = "\(epoch).\(number.padded(to: 20))\n"
        guard let file = try? fileSystem.open(path, .writeOnly, [.create, .noFollow], mode: .ownerReadWrite) else {
            return
        }
        _ = try? file.closeAfter {
            try Array(text.utf8).withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
        }
    }

    /// The cursor in the file; `nil` if there is no file, or it has no cursor.
    private static func told(_ path: FilePath, _ fileSystem: any FileSystem) -> ChangeCursor? {
        guard let file = try? fileSystem.open(path, .readOnly, [.nonBlocking, .noFollow]) else { return nil }
        let bytes = try? file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
                count = try fileSystem.read(file, path, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return bytes.flatMap { ChangeCursor(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) }
    }
}

extension ChangeCursor {
    /// A new random epoch: 16 hexadecimal digits.
    static func newEpoch() -> String {
        UInt64.random(in: 0 ... .max).padded(to: epochLength, radix: 16)
    }
}
