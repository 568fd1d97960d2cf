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
        /// The rules of the folder that the entry lies in; `nil` if the walk did not look at the entry.
        var rules: WalkRules?
    }

    private struct Level {
        let path: FilePath
        let siblings: Siblings
        let rules: WalkRules
        /// The place of the next name.
        var next = 0
    }

    private let root: FilePath
    private let outerDepth: Int
    private let rules: WalkRules
    private var levels: [Level] = []
    private var isStarted = false

    /// The folders that are open, from the first one that the user named.
    var depth: Int { outerDepth + levels.count }

    /// - Parameters:
    ///   - depth: the depth of the folder itself, if another walk led to it. The limit counts from the first walk.
    ///   - rules: those above the folder.
    init(root: FilePath, depth: Int = 0, rules: WalkRules) {
        self.root = root
        outerDepth = depth
        self.rules = rules
    }

    mutating func next() -> Entry? {
        if !isStarted {
            isStarted = true
            if let failure = descend(into: FilePath(), below: nil) { return failure }
        }
        while let level = levels.last {
            guard level.next < level.siblings.names.count else {
                if let orphan = level.siblings.takeOrphan() {
                    var entry = visit(orphan, level)
                    entry.siblings = nil
                    return entry
                }
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

    private func visit(_ name: FilePath.Component, _ level: Level) -> Entry {
        let path = level.path.appending(name)
        if rules.isList(name) { return entry(path, .skipped("the list of what is left out here")) }
        if let why = SkipRule.reason(for: name) { return entry(path, .skipped(why)) }
        let folder = level.siblings.folder
        do throws(ReadingError) {
            let (kind, stamp) = try named(path) { () throws(Errno) in try folder.entry(name) }
            if let why = level.rules.reason(leavingOut: path, kind) { return entry(path, .skipped(why)) }
            var entry = entry(path, .kind(kind))
            (entry.parent, entry.stamp, entry.siblings, entry.rules) = (folder, stamp, level.siblings, level.rules)
            return entry
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Goes into a folder, opened below its parent and never through a link. The root itself may be a link.
    private mutating func descend(into path: FilePath, below parent: Directory?) -> Entry? {
        guard depth < rules.limits.depth else {
            // Content that is left out by a limit and not by a rule must not pass for content that came in.
            let deep = "\(root.appending(path.components)) lies more than \(rules.limits.depth) folders deep"
            return entry(path, .unreadable(ReadingError(.limit, "\(deep); name it to take it in")))
        }
        do throws(ReadingError) {
            let folder = try named(path) { () throws(Errno) in
                guard let parent, let name = path.lastComponent else { return try Directory(root) }
                return try Directory(name, below: parent)
            }
            let outer = levels.last?.rules ?? rules
            if let why = outer.reason(notEntering: folder) { return entry(path, .skipped(why)) }
            let names = try named(path) { () throws(Errno) in try folder.names() }
            let inner = try outer.entering(folder, at: path)
            let siblings = Siblings(names, in: folder, at: path, inner)
            levels.append(Level(path: path, siblings: siblings, rules: inner))
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
