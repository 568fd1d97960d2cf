internal import Files
public import GroupContainer
public import Reading
public import ShareModel
public import SinkHost
public import SystemPackage

/// Where a run takes its packages from.
public enum IngestInput: Sendable {
    /// Files, folders to walk, `.share` folders; in this order.
    case paths([FilePath])
    /// One JSON description on standard input.
    case standardInput
    /// One package as a value, such as an upload. Its source should be of kind `submitted`, and its files lie below the
    /// source's folder or an allowed root.
    case package(SharePackage)
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
    /// The program that starts the sinks, `sluice-launch`. Without it, the pipeline looks beside the running program, and in
    /// `../libexec/sluice` from there.
    public var launcher: FilePath?
    /// What stands between the sinks and everything else.
    public var containment = ContainmentRequirement.preferred
    /// The words for a remedy in the reasons of a receipt, which the container keeps. A program names its own options
    /// there; the default words name none.
    public var remedyWords: @Sendable (Remedy) -> String = \.description
    /// Told what people should know though the run goes on, such as that there is no sandbox here; each thing once.
    public var notice: @Sendable (String) -> Void = { _ in }
    /// How much of anything a run takes.
    public var limits = IngestLimits()
    /// Where the times of packages come from.
    public var clock = Clock.system
    /// The readers of what the paths lead to.
    package var readers = Readers.standard
    /// The random identifier of this machine: a path is another source on another machine. Without one, packages come from
    /// the container's first machine.
    public var machine: String?
    /// By which the container touches its disk.
    var fileSystem: any FileSystem = SystemFileSystem.system

    /// The defaults, for one container.
    public init(container: FilePath) { self.container = container }
}

/// The limits of a run.
public struct IngestLimits: Sendable {
    /// What is read of a sender's description.
    public var reading = ReadingLimits()
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
    public var chunkPackages = 32
    /// … or fewer, where their sizes come to so many bytes.
    public var chunkBytes: Int64 = 4 << 20
    /// A picture beside a link is the link's icon up to so many pixels a side.
    public var iconPixels = 256
    /// How much a sink may make of one delivery, and how much it receives.
    public var delivery = DeliveryLimits()

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
