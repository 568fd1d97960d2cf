/// Identifies the state of a file, so that a later run can recognize an unchanged file without reading it.
public struct SourceStamp: Sendable, Hashable {
    /// The number of the file system.
    public var device: Int64
    /// The number of the file in its file system.
    public var inode: Int64
    /// The size, in bytes.
    public var size: Int64
    /// The time of the last change of the content (`mtime`), in nanoseconds since 1970.
    public var modified: Int64
    /// The time of the last change of the content, name or permissions (`ctime`), in nanoseconds since 1970. No program
    /// can set it. Some file systems, above all those in memory, update it late after a write through a memory mapping.
    public var changed: Int64

    /// A stamp with the values that the system reports.
    public init(device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// One stamp for the files of a package, in their order: the sum of their sizes, the latest times, and a number made
    /// of everything that identifies them. That of one file is its own. `nil` if one of the files has none.
    public init?(combining stamps: [SourceStamp?]) {
        let all = stamps.compactMap(\.self)
        guard let first = all.first, all.count == stamps.count else { return nil }
        self = first
        guard all.count > 1 else { return }
        size = all.reduce(0) { $0 &+ $1.size }
        modified = all.reduce(modified) { max($0, $1.modified) }
        changed = all.reduce(changed) { max($0, $1.changed) }
        // FNV-1a, over numbers instead of bytes. It finds changes by accident, not those of an enemy.
        inode = all.flatMap { [$0.device, $0.inode, $0.size, $0.modified, $0.changed] }
            .reduce(Int64(bitPattern: 0xCBF2_9CE4_8422_2325)) { ($0 ^ $1) &* 0x100_0000_01B3 }
    }

    /// The time that a file must be unchanged before its stamp is trusted, in nanoseconds. Two writes within one clock
    /// tick leave the same stamp. The coarsest clock of a file system in use is FAT's, with two seconds; this is a
    /// little more.
    public static let quietTime: Int64 = 3_000_000_000

    /// Whether the file was unchanged for at least `duration` before `now`; all times are in nanoseconds since 1970.
    public func isQuiet(at now: Int64, for duration: Int64 = quietTime) -> Bool {
        // A clock may be at either end of the numbers.
        let (limit, overflows) = now.subtractingReportingOverflow(duration)
        return !overflows && changed <= limit
    }
}
