internal import SystemPackage

/// Walks a folder depth first, in the order of its names' bytes, holding one list of names for each level.
struct FolderWalk {
    struct Entry {
        enum Content {
            case kind(Directory.EntryKind)
            case skipped(String)
            case unreadable(UnpackingError)
        }

        /// The folder that `path` is relative to, and below which it is opened.
        let root: FilePath
        let path: FilePath
        /// The path as people know it.
        let named: FilePath
        let content: Content

        init(root: FilePath, path: FilePath, named: FilePath, content: Content) {
            self.root = root
            self.path = path
            self.named = named
            self.content = content
        }

        init(root: FilePath, path: FilePath, named: FilePath, kind: Directory.EntryKind) {
            self.init(root: root, path: path, named: named, content: .kind(kind))
        }
    }

    private struct Level {
        let path: FilePath
        /// In reverse, the next one last.
        var names: [FilePath.Component]
    }

    private let root: FilePath
    private let limits: UnpackingLimits
    private let excluded: FolderIdentity?
    private var levels: [Level] = []
    private var isStarted = false

    /// - Parameter excluded: a folder that is left out wherever it is met.
    init(root: FilePath, limits: UnpackingLimits, excluded: FolderIdentity? = nil) {
        self.root = root
        self.limits = limits
        self.excluded = excluded
    }

    mutating func next() -> Entry? {
        if !isStarted {
            isStarted = true
            if let failure = descend(into: FilePath()) { return failure }
        }
        while var level = levels.popLast() {
            guard let name = level.names.popLast() else { continue }
            levels.append(level)
            let path = level.path.appending(name)
            if let entry = visit(name, path) { return entry }
        }
        return nil
    }

    /// The entry, or `nil` where it is a folder that is walked itself.
    private mutating func visit(_ name: FilePath.Component, _ path: FilePath) -> Entry? {
        if let why = SkipRule.reason(for: name) { return entry(path, .skipped(why)) }
        do throws(UnpackingError) {
            let text = root.appending(path.components).string
            let kind = try named(text) { () throws(Errno) in try open(path.removingLastComponent()).kind(of: name) }
            guard case .folder = kind, FolderForm(of: name) == .plain else { return entry(path, .kind(kind)) }
            return descend(into: path)
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    private mutating func descend(into path: FilePath) -> Entry? {
        guard levels.count < limits.depth else {
            return entry(path, .skipped("more than \(limits.depth) folders deep; name it to take it in"))
        }
        do throws(UnpackingError) {
            let text = root.appending(path.components).string
            let folder = try named(text) { () throws(Errno) in try open(path) }
            if let excluded, folder.identity == excluded {
                return entry(path, .skipped("the container itself; it is where all this goes"))
            }
            let names = try named(text) { () throws(Errno) in try folder.names() }
            levels.append(Level(path: path, names: names.reversed()))
            return nil
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Opens a folder below the root, component by component and never through a link.
    private func open(_ path: FilePath) throws(Errno) -> Directory {
        var folder = try Directory(root)
        for component in path.components { folder = try Directory(component, below: folder) }
        return folder
    }

    private func entry(_ path: FilePath, _ content: Entry.Content) -> Entry {
        Entry(root: root, path: path, named: root.appending(path.components), content: content)
    }
}

/// What a walk leaves out by name.
enum SkipRule {
    /// Endings that browsers and copy programs give to files they are still writing.
    static let unfinishedExtensions: Set<String> = [
        "part", "partial", "crdownload", "download", "opdownload", "filepart",
    ]

    static func reason(for name: FilePath.Component) -> String? {
        if name.bytes.first == UInt8(ascii: ".") { return "hidden; name it to take it in" }
        if let ending = name.extension?.lowercased(), unfinishedExtensions.contains(ending) {
            return "still being written (.\(ending)); run again when it is done"
        }
        return nil
    }
}
