/// By what a file is known to be the one that was read before, without reading it again.
public struct SourceStamp: Sendable, Hashable {
    /// The number of the file system that it lies on.
    public var device: Int64
    /// Its number there.
    public var inode: Int64
    /// In bytes.
    public var size: Int64
    /// When its content changed last, in nanoseconds since 1970.
    public var modified: Int64
    /// When its content, name or permissions changed last, in nanoseconds since 1970; no program can set it. (What is written
    /// through a mapping may show late on some file systems, in memory above all.)
    public var changed: Int64

    /// A stamp as the system tells it.
    public init(device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// How long a file must have stood still before its stamp is believed: the coarsest clock of a file system in use
    /// (FAT, two seconds) and some more. Two writes within one tick leave the same stamp.
    public static let quietTime: Int64 = 3_000_000_000

    /// Whether the file stood still at a time, in nanoseconds since 1970, for at least `duration`.
    public func isQuiet(at now: Int64, for duration: Int64 = quietTime) -> Bool {
        changed <= now - duration
    }
}
