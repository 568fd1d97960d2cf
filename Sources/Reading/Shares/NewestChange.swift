internal import Files
internal import ShareModel
internal import SystemPackage

extension NamedInput {
    /// The stamp of a folder, with the time of the newest change below it, whatever the patterns of a walk say.
    func newestStamp(_ limits: ReadingLimits) -> SourceStamp? {
        guard let name = path.lastComponent, let folder = try? Directory(name, below: parent) else { return stamp }
        var newest = NewestChange(limits: limits)
        newest.look(in: folder)
        return stamp?.withChange(atLeast: newest.time)
    }
}

/// The time of the newest change of an entry below a folder (`ctime`), in nanoseconds since 1970; `nil` if it is empty.
///
/// It looks at no more than ``ReadingLimits/bundleEntries`` entries, and passes over folders that cannot be read.
private struct NewestChange {
    let limits: ReadingLimits
    private(set) var time: Int64?
    private var entries = 0

    init(limits: ReadingLimits) { self.limits = limits }

    mutating func look(in folder: Directory, depth: Int = 1) {
        guard depth <= limits.depth, !Task.isCancelled,
            let names = try? folder.names(atMost: limits.bundleEntries - entries)
        else { return }
        entries += names.count
        for name in names {
            guard let (kind, stamp) = try? folder.entry(name) else { continue }
            time = max(time ?? stamp.changed, stamp.changed)
            if case .folder = kind, let inner = try? Directory(name, below: folder) {
                look(in: inner, depth: depth + 1)
            }
        }
    }
}
