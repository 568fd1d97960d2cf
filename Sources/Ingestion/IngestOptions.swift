public import GroupContainer
public import ShareModel
public import SystemPackage
public import Unpacking

/// Where a run takes its packages from.
public enum IngestInput: Sendable {
    /// Files, folders to walk, `.share` folders; in this order.
    case paths([FilePath])
    /// One JSON description on standard input.
    case standardInput
}

/// What a run may do, and how much of it at once.
public struct IngestOptions: Sendable {
    /// The group container's folder, made where there is none; a relative path counts from the working folder.
    public var container: FilePath
    /// Folders that a package may name files in, besides its own.
    public var allowedRoots: [FilePath] = []
    /// How many packages are read at once.
    public var jobs = 3
    /// Whether deliveries are driven in this run, or left pending.
    public var delivers = true
    /// Whether files are read that stand as they stood when they came in.
    public var rereads = false
    /// For how long a file must have stood still; one that was written to since is skipped as still being written.
    public var settleTime = Duration.zero
    /// What is left free on the container's disk.
    public var reserve = SpaceReserve.standard
    /// Folders of sinks that are looked at before the bundled ones.
    public var sinkFolders: [FilePath] = []
    /// The folder with what people set: `sinks/<id>.json` for each sink; without it, nothing is set.
    public var configurationFolder: FilePath?
    /// What stands between the sinks and everything else.
    public var containment = ContainmentRequirement.preferred
    /// Told what people should know though the run goes on, such as that there is no sandbox here; each thing once.
    public var notice: @Sendable (String) -> Void = { _ in }
    /// How much of anything a run takes.
    public var limits = IngestLimits()
    /// Where the times of packages come from.
    public var clock = Clock.system
    /// By which the container touches its disk.
    var fileSystem: any FileSystem = SystemFileSystem()

    /// The defaults, for one container.
    public init(container: FilePath) { self.container = container }
}

/// The limits of a run.
public struct IngestLimits: Sendable {
    /// What is read of a sender's description.
    public var unpacking = UnpackingLimits()
    /// A batch is committed once it holds so many packages …
    public var batchPackages = 1_000
    /// … or so many staged bytes …
    public var batchBytes: Int64 = 256 << 20
    /// … or has been open for so long.
    public var batchDuration = Duration.seconds(2)
    /// So many batches are stored at most and not told yet, since sinks or listeners are slow; then no more is stored until
    /// the first is told.
    public var settlingBatches = 4
    /// A worker is handed so many inputs at once …
    public var handfulPackages = 32
    /// … or fewer, where their sizes come to so many bytes.
    public var handfulBytes: Int64 = 4 << 20
    /// A picture beside a link is the link's icon up to so many pixels a side.
    public var iconPixels = 256
    /// The largest file that a sink may make, in bytes.
    public var productBytes: Int64 = 256 << 20
    /// The most that a sink's process may have on the disk at a time, in bytes: products not taken yet, files of its own.
    public var sinkBytes: Int64 = 1 << 30
    /// The most files that a sink may make of one delivery.
    public var products = 1_000
    /// The most that is kept of a sink's words and metadata, in bytes.
    public var metadataBytes = 256 << 10
    /// Objects and arrays within one another in a sink's metadata.
    public var metadataDepth = 32
    /// The most that is handed to sinks of an item's title and text, in bytes each.
    public var captionBytes = 64 << 10

    /// The defaults.
    public init() {}
}

/// What a run tells while it goes on.
public enum IngestEvent: Sendable {
    /// What is under way, told now and then: how much was read so far, and what is read just now.
    case progress(packages: Int, bytes: Int64, reading: FilePath?)
    /// A package is settled, in the order of the input.
    case settled(Receipt)
}
