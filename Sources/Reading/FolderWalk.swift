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
    }

    private struct Level {
        let path: FilePath
        let folder: Directory
        /// In reverse order, so that taking the next name from the end moves no others.
        var names: [FilePath.Component]
    }

    private let root: FilePath
    private let depthLimit: Int
    private let outerDepth: Int
    private let excluded: FolderIdentity?
    private var levels: [Level] = []
    private var isStarted = false

    /// The folders that are open, from the first one that the user named.
    var depth: Int { outerDepth + levels.count }

    /// - Parameters:
    ///   - depth: the depth of the folder itself, if another walk led to it. The limit counts from the first walk.
    ///   - excluded: a folder that is left out wherever it is found.
    init(root: FilePath, depth: Int = 0, limits: ReadingLimits, excluded: FolderIdentity? = nil) {
        self.root = root
        outerDepth = depth
        depthLimit = limits.depth
        self.excluded = excluded
    }

    mutating func next() -> Entry? {
        if !isStarted {
            isStarted = true
            if let failure = descend(into: FilePath(), below: nil) { return failure }
        }
        while var level = levels.popLast() {
            guard let name = level.names.popLast() else { continue }
            levels.append(level)
            let path = level.path.appending(name)
            return visit(name, path, level.folder)
        }
        return nil
    }

    /// Goes into the folder that ``next()`` yielded last.
    ///
    /// - Returns: an entry that says why, if the walk leaves the folder out.
    mutating func enter(_ folder: Entry) -> Entry? { descend(into: folder.path, below: folder.parent) }

    private func visit(_ name: FilePath.Component, _ path: FilePath, _ folder: Directory) -> Entry {
        if let why = SkipRule.reason(for: name) { return entry(path, .skipped(why)) }
        do throws(ReadingError) {
            let (kind, stamp) = try named(path) { () throws(Errno) in try folder.entry(name) }
            var entry = entry(path, .kind(kind))
            (entry.parent, entry.stamp) = (folder, stamp)
            return entry
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Goes into a folder, opened below its parent and never through a link. The root itself may be a link.
    private mutating func descend(into path: FilePath, below parent: Directory?) -> Entry? {
        guard depth < depthLimit else {
            return entry(path, .skipped("more than \(depthLimit) folders deep; name it to take it in"))
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
            levels.append(Level(path: path, folder: folder, names: names.reversed()))
            return nil
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Makes a call, and adds the path to its error.
    private func named<Value>(_ path: FilePath, _ call: () throws(Errno) -> Value) throws(ReadingError) -> Value {
        do { return try call() } catch { throw ReadingError(error, on: root.appending(path.components).string) }
    }

    private func entry(_ path: FilePath, _ content: Entry.Content) -> Entry {
        Entry(root: root, path: path, named: root.appending(path.components), content: content)
    }
}
