internal import Files
internal import SystemPackage

/// The files below a folder. It follows no link, and stops at a limit, because a sink may have made any number of
/// files.
struct FolderListing {
    /// The relative paths of all entries except folders, sorted by their bytes.
    private(set) var names: [FilePath] = []
    private let limit: Int

    /// The listing enters this many levels of folders. A deeper folder is listed like a file.
    private static let depthLimit = 64

    /// Lists the folder; a missing folder has no files.
    init(_ folder: FilePath, limit: Int = 10_000) {
        self.limit = limit
        if let folder = try? Directory(folder) { add(folder, "", depth: 1) }
    }

    private mutating func add(_ folder: Directory, _ path: FilePath, depth: Int) {
        for name in (try? folder.names()) ?? [] where names.count < limit {
            let inner = path.appending(name)
            // The depth has a limit because each level holds a descriptor open.
            if case .folder? = try? folder.kind(of: name), depth < Self.depthLimit,
                let below = try? Directory(name, below: folder)
            {
                add(below, inner, depth: depth + 1)
            } else {
                names.append(inner)
            }
        }
    }

    /// The names directly in a folder, sorted by their bytes.
    static func top(of folder: FilePath) -> [FilePath.Component] {
        guard let folder = try? Directory(folder) else { return [] }
        return (try? folder.names()) ?? []
    }
}
