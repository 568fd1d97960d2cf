internal import Files
internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Writes the file `run/changes` after each commit, so that its watchers read the feed. The file holds the epoch and the
/// last number, which a restored catalog is behind. It is never synced: what it says was durable before.
struct ChangeNotifier: Sendable {
    private let epoch: String
    private let path: FilePath
    private let fileSystem: any FileSystem

    /// The notifier of a catalog that was opened for writing, which gets a new epoch where it is not the one that it was: its
    /// file is another, or it is behind what was told of it. The caller holds the lock `setup`.
    init(_ layout: ContainerLayout, _ database: CatalogDatabase, _ fileSystem: any FileSystem) throws {
        let file = try fileSystem.status(of: layout.catalog).map { "\($0.device) \($0.inode)" } ?? ""
        let told = Self.told(layout.changes, fileSystem)
        let known = try database.read { database -> String? in
            guard let epoch = try MetaRow.fetch(database, MetaRow.epoch) else { return nil }
            guard try MetaRow.fetch(database, MetaRow.file) == file else { return nil }
            let isBehind = try told?.epoch == epoch && ChangeRow.last(database) < told?.number ?? 0
            return isBehind ? nil : epoch
        }
        epoch = try known ?? Self.renew(database, file: file)
        path = layout.changes
        self.fileSystem = fileSystem
    }

    private static func renew(_ database: CatalogDatabase, file: String) throws -> String {
        let epoch = ChangeCursor.newEpoch()
        try database.write { database in
            try MetaRow.set(database, MetaRow.epoch, epoch)
            try MetaRow.set(database, MetaRow.file, file)
        }
        return epoch
    }

    /// Wakes the followers. Where that fails they read these changes with the next ones; the commit stands.
    func notify(_ number: Int64) {
        // Of one length, so that an older text is always overwritten as a whole.
        let digits = String(number)
        let text = "\(epoch).\(String(repeating: "0", count: 20 - digits.utf8.count))\(digits)\n"
        guard let file = try? fileSystem.open(path, .writeOnly, [.create, .noFollow], mode: .ownerReadWrite) else {
            return
        }
        _ = try? file.closeAfter {
            try Array(text.utf8).withUnsafeBytes { try fileSystem.writeAll($0, to: file, path) }
        }
    }

    /// What was told last; `nil` where nothing was, or nothing that makes sense.
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
    /// An epoch that was never there.
    static func newEpoch() -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: epochLength - digits.utf8.count) + digits
    }
}
