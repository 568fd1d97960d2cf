internal import Files
internal import ShareModel
internal import SystemPackage

/// A pass over a folder that could come in as one document: what a walk would make of it. It opens no file but lists of
/// patterns.
///
/// It looks at no more than ``ReadingLimits/bundleEntries`` entries, and holds at most as many names. It ends there, and
/// once its task was cancelled.
struct FolderSurvey {
    /// Whether a walk would leave something out: a pattern fits an entry, or a folder is a container. A list of patterns
    /// that cannot be read counts too. The pass ends there.
    private(set) var leavesOut = false
    /// Whether the folder can be packed. It cannot if it has a link, a special file or a folder that cannot be read, or
    /// if it exceeds a limit.
    private(set) var isPackable = true
    /// The time of the newest change of an entry below the folder (`ctime`), in nanoseconds since 1970; `nil` if it is
    /// empty.
    private(set) var changed: Int64?
    private let limits: ReadingLimits
    private var entries = 0
    /// Whether the pass ended before it saw the whole folder.
    private var isOver = false

    /// - Parameters:
    ///   - path: of the folder, below the root of the walk.
    ///   - rules: those of the folder that it lies in.
    init(_ name: FilePath.Component, below parent: Directory, at path: FilePath, _ rules: WalkRules) {
        limits = rules.limits
        enter(name, below: parent, at: path, rules, depth: 1)
    }

    /// Whether nothing speaks against taking the folder in as one document.
    var isWhole: Bool { isPackable && !leavesOut }

    private mutating func enter(
        _ name: FilePath.Component, below parent: Directory, at path: FilePath, _ outer: WalkRules, depth: Int
    ) {
        guard !Task.isCancelled else { return end() }
        guard depth <= limits.depth, let folder = try? Directory(name, below: parent) else {
            isPackable = false
            return
        }
        guard outer.reason(notEntering: folder) == nil, let rules = try? outer.entering(folder, at: path) else {
            leavesOut = true
            return
        }
        guard let names = try? folder.names(atMost: limits.bundleEntries - entries + 1) else {
            isPackable = false
            return
        }
        guard entries + names.count <= limits.bundleEntries else { return end() }
        entries += names.count
        for name in names where !leavesOut && !isOver {
            look(at: name, in: folder, path.appending(name), rules, depth: depth)
        }
    }

    /// Ends the pass. What was not seen cannot be packed.
    private mutating func end() { (isPackable, isOver) = (false, true) }

    private mutating func look(
        at name: FilePath.Component, in folder: Directory, _ path: FilePath, _ rules: WalkRules, depth: Int
    ) {
        guard let (kind, stamp) = try? folder.entry(name) else {
            isPackable = false
            return
        }
        changed = max(changed ?? stamp.changed, stamp.changed)
        guard rules.reason(leavingOut: path, kind) == nil else {
            leavesOut = true
            return
        }
        switch kind {
        case .file: break
        case .folder: enter(name, below: folder, at: path, rules, depth: depth + 1)
        case .link, .special: isPackable = false
        }
    }
}

extension SourceStamp {
    /// The stamp of a folder, with the time of the newest change below it. That of the folder itself says nothing about
    /// the files in it.
    func withChange(atLeast time: Int64?) -> SourceStamp {
        var stamp = self
        stamp.changed = max(changed, time ?? changed)
        return stamp
    }
}
