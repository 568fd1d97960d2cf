internal import Files
internal import SystemPackage

/// What a walk leaves out of a folder: by the patterns of the run, of the folder and of those above it, or because it is
/// a container.
struct WalkRules {
    /// Why a walk does not go into a container.
    static let container = "a container of Sluice; export it to take in what it holds"

    let limits: ReadingLimits
    private let root: FilePath
    private let excluded: FolderIdentity?
    private let ofRun: [IgnoreList]
    private let readsIgnoreFiles: Bool
    /// The lists of the run, of the folder and of those above it; the first one that says something decides.
    private var lists: [IgnoreList]

    /// The rules above the first folder of a walk.
    ///
    /// - Parameters:
    ///   - root: the first folder, for messages.
    ///   - excluded: a folder that is left out wherever it is found.
    ///   - ignored: the patterns of the run; `nil` if there are none.
    ///   - readsIgnoreFiles: whether the folders' own lists of patterns count.
    init(
        root: FilePath, limits: ReadingLimits, excluded: FolderIdentity?, ignored: IgnoreList?, readsIgnoreFiles: Bool
    ) {
        (self.root, self.limits, self.excluded, self.readsIgnoreFiles) = (root, limits, excluded, readsIgnoreFiles)
        ofRun = ignored.map { [$0] } ?? []
        lists = ofRun
    }

    /// Why the patterns leave an entry out; `nil` if they do not.
    func reason(leavingOut path: FilePath, _ kind: Directory.EntryKind) -> String? {
        // Most walks have no list, and the bytes of a path cost a copy.
        guard !lists.isEmpty else { return nil }
        var isFolder = false
        if case .folder = kind { isFolder = true }
        let bytes = path.bytes
        for list in lists {
            switch list.verdict(on: bytes, isFolder: isFolder) {
            case .taken: return nil
            case .skipped(let why): return why
            case nil: continue
            }
        }
        return nil
    }

    /// Why a walk does not go into a folder, whatever its name is; `nil` if it does.
    func reason(notEntering folder: Directory) -> String? {
        // Compared by device and inode, because a walk can reach the container under another name.
        if let excluded, folder.identity == excluded { return "the container itself, which is not an input" }
        return folder.isContainer ? Self.container : nil
    }

    /// The rules for the entries of a folder.
    ///
    /// - Throws: if the folder's own list cannot be read.
    func entering(_ folder: Directory, at path: FilePath) throws(ReadingError) -> WalkRules {
        guard readsIgnoreFiles,
            let own = try IgnoreList.read(folder, path: path, named: root.appending(path.components), limits: limits)
        else { return self }
        var inner = self
        inner.lists = ofRun + [own] + lists.dropFirst(ofRun.count)
        return inner
    }

    /// Whether a list of patterns belongs to the walk, and not to its content.
    func isList(_ name: FilePath.Component) -> Bool { readsIgnoreFiles && name == IgnoreList.fileName }
}
