internal import SystemPackage

/// What a folder is, by its name.
enum FolderForm: Equatable {
    /// A package of its own, with a `share.json`.
    case share
    /// One document that happens to be a folder.
    case bundle
    /// A folder of files.
    case plain

    /// Folder endings that stand for one document. The list is short on purpose: a folder that is wrongly taken for
    /// a document hides its files in one archive, one that is wrongly walked merely falls apart into them.
    static let bundleExtensions: Set<String> = [
        "pages", "numbers", "key",  // iWork before its documents became zip files
        "rtfd", "textbundle",  // text with its pictures
        "app", "bundle", "framework", "plugin",  // programs
        "pvt",  // a live photo as Photos exports it
        "logicx", "band", "scptd", "playground", "xcodeproj", "graffle", "sparsebundle",
    ]

    init(of name: FilePath.Component) {
        switch name.extension?.lowercased() {
        case "share": self = .share
        case let ending? where Self.bundleExtensions.contains(ending): self = .bundle
        default: self = .plain
        }
    }
}
