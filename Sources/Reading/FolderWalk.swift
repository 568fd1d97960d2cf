internal import Files
internal import ShareModel
internal import SystemPackage

/// Walks a folder depth first, in the order of its names' bytes. It holds one list of names for each level.
///
/// The walk yields each folder before it opens it. The caller goes into the folder with ``enter(_:)``, or skips it.
struct FolderWalk {
    struct Entry {
        enum Content {
            case kind(Directory.EntryKind)
            case skipped(String)
            case unreadable(ReadingError)
        }

        /// The folder that ``path`` starts from. No link is followed below it.
        let root: FilePath
        let path: FilePath
        /// The path as the user knows it.
        let named: FilePath
        let content: Content
        /// The folder that the entry lies in, open; `nil` if the walk did not look at the entry.
        var parent: Directory?
        /// The stamp that the folder has for the entry; `nil` if the walk did not look at it.
        var stamp: SourceStamp?
        /// The entries of the same folder; `nil` if the walk did not look at the entry.
        var siblings: Siblings?
    }

    private struct Level {
        let path: FilePath
        let siblings: Siblings
        /// The patterns of the run, of this folder and of those above it; the first list that says something decides.
        let lists: [IgnoreList]
        /// The place of the next name.
        var next = 0
    }

    private let root: FilePath
    private let outerDepth: Int
    private let excluded: FolderIdentity?
    private let limits: ReadingLimits
    /// The patterns of the run, or none.
    private let ignored: [IgnoreList]
    /// Whether the folders' own lists of patterns count.
    private let readsIgnoreFiles: Bool
    private var levels: [Level] = []
    private var isStarted = false

    /// The folders that are open, from the first one that the user named.
    var depth: Int { outerDepth + levels.count }

    /// - Parameters:
    ///   - depth: the depth of the folder itself, if another walk led to it. The limit counts from the first walk.
    ///   - excluded: a folder that is left out wherever it is found.
    ///   - ignored: the patterns of the run; `nil` if there are none.
    ///   - readsIgnoreFiles: whether the folders' own lists of patterns count.
    init(
        root: FilePath, depth: Int = 0, limits: ReadingLimits, excluded: FolderIdentity? = nil,
        ignored: IgnoreList? = nil, readsIgnoreFiles: Bool = true
    ) {
        self.root = root
        outerDepth = depth
        self.limits = limits
        self.excluded = excluded
        self.ignored = ignored.map { [$0] } ?? []
        self.readsIgnoreFiles = readsIgnoreFiles
    }

    mutating func next() -> Entry? {
        if !isStarted {
            isStarted = true
            if let failure = descend(into: FilePath(), below: nil) { return failure }
        }
        while let level = levels.last {
            guard level.next < level.siblings.names.count else {
                if let orphan = level.siblings.takeOrphan() { return visit(orphan, level, isAlone: true) }
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].next += 1
            return visit(level.siblings.names[level.next], level)
        }
        return nil
    }

    /// Goes into the folder that ``next()`` yielded last.
    ///
    /// - Returns: an entry that says why, if the walk leaves the folder out.
    mutating func enter(_ folder: Entry) -> Entry? { descend(into: folder.path, below: folder.parent) }

    /// - Parameter isAlone: whether the entry is in no group.
    private func visit(_ name: FilePath.Component, _ level: Level, isAlone: Bool = false) -> Entry {
        let path = level.path.appending(name)
        if readsIgnoreFiles, name == IgnoreList.fileName {
            return entry(path, .skipped("the list of what is left out here"))
        }
        if let why = SkipRule.reason(for: name) { return entry(path, .skipped(why)) }
        let folder = level.siblings.folder
        do throws(ReadingError) {
            let (kind, stamp) = try named(path) { () throws(Errno) in try folder.entry(name) }
            if let why = Self.reason(path, kind, level.lists) { return entry(path, .skipped(why)) }
            var entry = entry(path, .kind(kind))
            (entry.parent, entry.stamp, entry.siblings) = (folder, stamp, isAlone ? nil : level.siblings)
            return entry
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Why the lists leave an entry out; `nil` if they do not.
    private static func reason(_ path: FilePath, _ kind: Directory.EntryKind, _ lists: [IgnoreList]) -> String? {
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

    /// Goes into a folder, opened below its parent and never through a link. The root itself may be a link.
    private mutating func descend(into path: FilePath, below parent: Directory?) -> Entry? {
        guard depth < limits.depth else {
            return entry(path, .skipped("more than \(limits.depth) folders deep; name it to take it in"))
        }
        do throws(ReadingError) {
            let folder = try named(path) { () throws(Errno) in
                guard let parent, let name = path.lastComponent else { return try Directory(root) }
                return try Directory(name, below: parent)
            }
            // Compared by device and inode, because a walk can reach the container under another name.
            if let excluded, folder.identity == excluded {
                return entry(path, .skipped("the container itself, which is not an input"))
            }
            let names = try named(path) { () throws(Errno) in try folder.names() }
            let lists = try lists(of: folder, at: path)
            let siblings = Siblings(names, in: folder, limits: limits) { name, kind in
                SkipRule.reason(for: name) == nil && Self.reason(path.appending(name), kind, lists) == nil
            }
            levels.append(Level(path: path, siblings: siblings, lists: lists))
            return nil
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// The lists that decide on the entries of a folder.
    private func lists(of folder: Directory, at path: FilePath) throws(ReadingError) -> [IgnoreList] {
        let outer = levels.last.map { $0.lists.dropFirst(ignored.count) } ?? []
        guard readsIgnoreFiles,
            let own = try IgnoreList.read(folder, path: path, named: root.appending(path.components), limits: limits)
        else { return ignored + outer }
        return ignored + [own] + outer
    }

    /// Makes a call, and adds the path to its error.
    private func named<Value>(_ path: FilePath, _ call: () throws(Errno) -> Value) throws(ReadingError) -> Value {
        do { return try call() } catch { throw ReadingError(error, on: root.appending(path.components).string) }
    }

    private func entry(_ path: FilePath, _ content: Entry.Content) -> Entry {
        Entry(root: root, path: path, named: root.appending(path.components), content: content)
    }
}
