internal import ShareModel
public import SystemPackage

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
        /// As the folder told it; `nil` for what was not looked at.
        var stamp: SourceStamp?
    }

    private struct Level {
        let path: FilePath
        let folder: Directory
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
            if let failure = descend(into: FilePath(), below: nil) { return failure }
        }
        while var level = levels.popLast() {
            guard let name = level.names.popLast() else { continue }
            levels.append(level)
            let path = level.path.appending(name)
            if let entry = visit(name, path, level.folder) { return entry }
        }
        return nil
    }

    /// The entry, or `nil` where it is a folder that is walked itself.
    private mutating func visit(_ name: FilePath.Component, _ path: FilePath, _ folder: Directory) -> Entry? {
        if let why = SkipRule.reason(for: name) { return entry(path, .skipped(why)) }
        do throws(UnpackingError) {
            let (kind, stamp) = try named(path) { () throws(Errno) in try folder.entry(name) }
            guard case .folder = kind, FolderForm(of: name) == .plain else {
                var entry = entry(path, .kind(kind))
                entry.stamp = stamp
                return entry
            }
            return descend(into: path, below: folder)
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Goes into a folder, which is opened below its parent, never through a link; the root itself may be one.
    private mutating func descend(into path: FilePath, below parent: Directory?) -> Entry? {
        guard levels.count < limits.depth else {
            return entry(path, .skipped("more than \(limits.depth) folders deep; name it to take it in"))
        }
        do throws(UnpackingError) {
            let folder = try named(path) { () throws(Errno) in
                guard let parent, let name = path.lastComponent else { return try Directory(root) }
                return try Directory(name, below: parent)
            }
            if let excluded, folder.identity == excluded {
                return entry(path, .skipped("the container itself; it is where all this goes"))
            }
            let names = try named(path) { () throws(Errno) in try folder.names() }
            levels.append(Level(path: path, folder: folder, names: names.reversed()))
            return nil
        } catch {
            return entry(path, .unreadable(error))
        }
    }

    /// Gives a failure the name of what it failed on.
    private func named<Value>(_ path: FilePath, _ call: () throws(Errno) -> Value) throws(UnpackingError) -> Value {
        do { return try call() } catch { throw UnpackingError(error, on: root.appending(path.components).string) }
    }

    private func entry(_ path: FilePath, _ content: Entry.Content) -> Entry {
        Entry(root: root, path: path, named: root.appending(path.components), content: content)
    }
}

/// What a walk leaves out by name.
public enum SkipRule {
    /// Endings that browsers and copy programs give to files they are still writing.
    public static let unfinishedExtensions: Set<String> = [
        "part", "partial", "crdownload", "download", "opdownload", "filepart",
    ]

    /// Why a walk leaves the name out, in words for people; `nil` where it does not.
    public static func reason(for name: FilePath.Component) -> String? {
        if name.bytes.first == UInt8(ascii: ".") { return "hidden; name it to take it in" }
        if let ending = name.extension?.lowercased(), unfinishedExtensions.contains(ending) {
            return "still being written (.\(ending)); run again when it is done"
        }
        return nil
    }
}
