internal import Files
public import GroupContainer
public import Reading
public import ShareModel
public import SinkHost
public import SystemPackage

/// The input of a run.
public enum IngestInput: Sendable {
    /// Files, folders, `.share` folders and web addresses, in the given order. The run walks the folders.
    case addresses([InputAddress])
    /// A file that lists addresses; `-` is standard input. The byte `separator` ends each one.
    case list(FilePath, separator: UInt8)
    /// Standard input. With a name, it is one file of that name. Otherwise its beginning decides: descriptions in JSON,
    /// the body of a form, or one web address.
    case standardInput(name: String? = nil)
    /// One package as a value, such as an upload. Its source should be of kind `submitted`. Its files must lie below
    /// the source's folder or an allowed root.
    case package(SharePackage)

    /// Files, folders and `.share` folders, in the given order. A relative path starts at the working folder.
    public static func paths(_ paths: [FilePath]) -> IngestInput { .addresses(paths.map(InputAddress.path)) }
}

/// The options of a run.
public struct IngestOptions: Sendable {
    /// The folder of the group container; made if it does not exist. A relative path starts at the working folder.
    public var container: FilePath
    /// Folders, besides its own, in which a package may name files.
    public var allowedRoots: [FilePath] = []
    /// The title of each package that has none of its own.
    public var title: String?
    /// The text of each package that has none of its own: a caption, or a note.
    public var text: String?
    /// The tags that each package of the run gets, also one that the container has already. The run then reads files again
    /// that have not changed since they came in.
    public var tags: [PackageTag] = []
    /// The sink that a person named for the content of each package. It takes the place of the one that would get it, for each type
    /// that it accepts.
    public var destination: String?
    /// Patterns of what walks over folders leave out, in git's syntax (gitignore). They decide before the lists
    /// `.sluiceignore` in the folders.
    public var excluded: [String] = []
    /// The number of packages that are read at once.
    public var jobs = 3
    /// Whether the run drives deliveries. Otherwise it leaves them pending.
    public var delivers = true
    /// Whether the run reads files again that have not changed since they came in.
    public var rereads = false
    /// The time for which a file must have been unchanged. The run skips a younger file as still being written.
    public var settleTime = Duration.zero
    /// The space and the number of files that must stay free on the container's disk.
    public var reserve = SpaceReserve.standard
    /// Folders of sinks. The run searches them before the folder of the bundled sinks.
    public var sinkFolders: [FilePath] = []
    /// The folder of a person's settings, with `sinks/<id>.json` for a sink. If `nil`, no sink has settings.
    public var configurationFolder: FilePath?
    /// The folder for the logins of accounts where no Secret Service is. If `nil`, a login needs one.
    public var keychainFolder: FilePath?
    /// The path of `sluice-account`, which keeps the logins. If `nil`, the pipeline looks for it as for ``launcher``.
    public var accountProgram: FilePath?
    /// The program that makes requests for sinks; `nil` to look for it beside this program, and in `../libexec/sluice` from there.
    public var transferProgram: FilePath?
    /// The session of this program's transfers: its kind, such as `ingest`. One process at a time gets the ends of the transfers of a session.
    public var transferSession = "program"
    /// The program that takes the ends of this program's transfers if no process is there that does, and its arguments; empty for none.
    public var agentCommand: [String] = []
    /// The path of `sluice-launch`, which starts the sinks. If `nil`, the pipeline looks beside the running program,
    /// and in `../libexec/sluice` from there.
    public var launcher: FilePath?
    /// Whether sinks run in the sandbox.
    public var containment = ContainmentRequirement.preferred
    /// The text for a remedy in the reasons of a receipt, which the container keeps. A program names its own options
    /// there; the default text names none.
    public var remedyWords: @Sendable (Remedy) -> String = \.description
    /// Called with a message for a person about a limitation that does not end the run, such as a missing sandbox. Each
    /// message comes once.
    public var notice: @Sendable (String) -> Void = { _ in }
    /// The limits of the run.
    public var limits = IngestLimits()
    /// The clock that dates packages.
    public var clock = Clock.system
    /// The readers that recognize an input.
    package var readers = Readers.standard
    /// The random identifier of this machine. The same path on two machines is two sources. If `nil`, packages count as
    /// coming from the container's first machine.
    public var machine: String?
    /// Replaces engines of the container; receives the local ones. See the guide of the module GroupContainer.
    public var engines: @Sendable (ContainerEngines) throws -> ContainerEngines = { $0 }
    /// The file system of the container. Tests replace it to make calls to the disk fail.
    var fileSystem: any FileSystem = SystemFileSystem.system

    /// Whether content that has no room ends the run, also if that of others has. Otherwise its package fails alone.
    var endsWithoutRoom = false
    /// Whether a file that cannot be read fails its package as a whole, also if another form of its content can be.
    var takesWhole = false

    /// Whether the run gives a title or a text to packages that have none.
    var describes: Bool { title != nil || text != nil }

    /// The defaults, for one container.
    public init(container: FilePath) { self.container = container }
}

/// The limits of a run.
public struct IngestLimits: Sendable {
    /// The limits of a sender's description.
    public var reading = ReadingLimits()
    /// The number of packages at which a batch ends.
    public var batchPackages = 1_000
    /// The size of staged content, in bytes, at which a batch ends.
    public var batchBytes: Int64 = 256 << 20
    /// The memory of texts, inline data and metadata, in bytes, at which a batch ends, and at which workers get no more
    /// packages. One package more may exceed it: the largest description has 32 MiB.
    public var batchMemory = 16 << 20
    /// The time after which a batch ends.
    public var batchDuration = Duration.seconds(2)
    /// The maximum number of batches that are stored and not yet reported. At this number, the run stores no other
    /// batch until the first one is reported. So slow sinks and listeners cannot make memory grow.
    public var settlingBatches = 4
    /// The maximum number of inputs that a worker gets at once.
    public var chunkPackages = 32
    /// The sum of file sizes, texts and inline data, in bytes, at which a worker gets no more inputs at once.
    public var chunkBytes: Int64 = 4 << 20
    /// The maximum width and height, in pixels, of an image that counts as the icon of a link.
    public var iconPixels = 256
    /// The number of waiting shares at which the inbox of a container takes no other. Several that come at the same moment may exceed
    /// it.
    public var waitingShares = 1_000
    /// The limits of one delivery: its content, and the answer of its sink.
    public var delivery = DeliveryLimits()

    /// The defaults.
    public init() {}
}

/// An event that a run reports.
public enum IngestEvent: Sendable {
    /// The progress, several times a second.
    case progress(IngestProgress)
    /// The receipt of a package that is durable now. Its deliveries may be open. An input that leaves no package, such
    /// as a skipped file, is reported too. The receipts come in the order of the input.
    case committed(Receipt)
    /// The receipt of a package whose deliveries have ended, or are left to a later run. It follows the same package's
    /// ``committed(_:)``. The receipts come in the order of the input.
    case settled(Receipt)
}

/// The progress of a run.
public struct IngestProgress: Sendable, Equatable {
    /// The packages that were read.
    public var packages = 0
    /// All packages of the input; `nil` until the end of the input is found.
    public var total: Int?
    /// The bytes that were read.
    public var bytes: Int64 = 0
    /// The deliveries of this run that have ended, or are left to a later run.
    public var deliveriesDone = 0
    /// The deliveries of the packages that were committed until now.
    public var deliveries = 0
    /// The input that is being read; `nil` before the first one, and after the last one.
    public var reading: FilePath?
    /// The transfers that the run waits for; `nil` if it waits for none.
    public var transfers: TransferProgress?

    /// The progress of a run that has not begun.
    public init() {}
}
