internal import ShareModel
internal import SystemPackage

/// The folders of the folder `library`. The raw values are the words in the catalog.
public enum LibraryLayout: String, Sendable, Codable, CaseIterable {
    /// A folder for each class of content, and in it one for each year.
    case contentClass = "class"
    /// The folders that the files came from.
    case source
}

/// The folders of the layout ``LibraryLayout/source``.
enum SourceFolders {
    /// The folder of content that came from no folder: links, pipes, uploads, and files in a user's home itself. It has the
    /// folders of the other layout.
    static let none = "unfiled"
    /// The number of folders above a file. Of more, those nearest to the file count.
    static let depthLimit = 32
    /// The number of bytes in their names. With a name of ``SafeName/limit`` bytes, the path stays far below the limit of
    /// the system.
    static let sizeLimit = 1_000

    /// The folders of a source, as safe names; empty if it came from no folder.
    ///
    /// Content of a share or of an archive lies in a folder of that name. A user's home is left out: `Downloads/a.pdf`.
    /// Nothing else is, because a file must not move when another one comes in.
    static func of(_ kind: PackageSource.Kind, _ path: FilePath) -> [String] {
        guard kind != .link, !kind.isTransient else { return [] }
        let isFolder = kind == .share || kind == .container
        let parts: [FilePath.Component] = path.components.dropLast(isFolder ? 0 : 1).filter { $0.kind == .regular }
        var folders = withoutHome(parts).suffix(depthLimit).map { part in
            SafeName.make(part.string.composed)
        }
        while folders.reduce(0, { $0 + $1.utf8.count }) > sizeLimit { folders.removeFirst() }
        // The folder of its own stays free of other files, which could have the names of its folders.
        if let first = folders.first, first.lowercased() == none { folders[0] += "_" }
        return folders
    }

    /// The folders behind the home of a user: `/home/ada`, `/Users/ada` or `/root`.
    private static func withoutHome(_ parts: [FilePath.Component]) -> ArraySlice<FilePath.Component> {
        switch parts.first?.string {
        case "home", "Users": parts.dropFirst(2)
        case "root": parts.dropFirst()
        default: parts[...]
        }
    }
}
