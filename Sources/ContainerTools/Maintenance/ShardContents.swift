internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// The names in one folder of the objects at one moment. Memory grows with that folder alone.
struct ShardContents {
    let folder: FilePath
    /// In order.
    private(set) var digests: [Digest] = []
    /// Names that are no object's, or belong into another folder, in the order of their bytes.
    private(set) var strange: [FilePath.Component] = []
    /// Whether the folder's name belongs to something other than a folder.
    private(set) var isNoFolder = false

    init(_ shard: Shard, _ maintenance: ContainerMaintenance) throws {
        folder = maintenance.layout.objects.appending(shard.name)
        guard let kind = try maintenance.fileSystem.status(of: folder)?.kind else { return }
        guard kind == .folder else {
            isNoFolder = true
            return
        }
        for name in try maintenance.sortedNames(in: folder) {
            if let digest = Digest(name.string), name.string.hasPrefix(shard.name) {
                digests.append(digest)
            } else {
                strange.append(name)
            }
        }
    }

    /// The files that no row names now.
    func orphans(_ maintenance: ContainerMaintenance) throws -> [Digest] {
        guard !digests.isEmpty else { return [] }
        return try maintenance.database.read { database in
            try digests.filter { try ObjectRow.seq(database, $0) == nil }
        }
    }
}

extension ContainerMaintenance {
    var inspector: ObjectInspector { ObjectInspector(layout: layout, fileSystem: fileSystem) }

    /// The names in a folder, in the order of their bytes.
    func sortedNames(in folder: FilePath) throws -> [FilePath.Component] {
        try fileSystem.names(in: folder).map { (FilePath(root: nil, components: $0).bytes, $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
}
