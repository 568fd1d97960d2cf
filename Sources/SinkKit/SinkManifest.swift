/// A sink's `sink.json`: all that the host must know before it starts the program.
public struct SinkManifest: Sendable, Codable, Equatable {
    /// Lower-case letters, digits and hyphens; names the sink everywhere.
    public var id: String
    /// The sink's own version, for people and receipts.
    public var version: String
    /// The protocol's version that the sink speaks.
    public var `protocol`: Int
    /// The program, looked up beside `sink.json` and in the folder above, and its arguments.
    public var command: [String]
    /// The types that it takes; a type that none of them covers never comes.
    public var accepts: [Acceptance]
    /// Whether it competes for groups or sees them besides.
    public var role: Role
    /// Whether parts come with a file to read.
    public var content: ContentNeed?
    /// Its clocks and what it may use, where the host's defaults do not fit.
    public var limits: Limits?
    /// What it cannot work without, beyond its content; the person must allow it.
    public var needs: Needs?
    /// A JSON Schema for its configuration; the configuration is checked by it before the sink is started.
    public var config: JSONValue?
    /// The names of the secrets that it takes.
    public var secrets: [String]?

    /// A type that the sink takes: `application/pdf`, `image/*` or `*/*`.
    public struct Acceptance: Sendable, Codable, Equatable {
        /// The pattern; a named type beats `image/*`, which beats `*/*`.
        public var type: String
        /// Breaks the tie between equally specific acceptances; the higher wins, 0 where absent.
        public var priority: Int?

        /// Takes what the pattern covers.
        public init(type: String, priority: Int? = nil) {
            self.type = type
            self.priority = priority
        }
    }

    /// How the host shares groups out among sinks.
    public enum Role: String, Sendable, Codable {
        /// One of these gets each group: the most specific acceptance wins.
        case primary
        /// Gets every group that it accepts, besides the primary sink.
        case also
    }

    /// Whether the sink reads what it is given.
    public enum ContentNeed: String, Sendable, Codable {
        /// Each part has the path of a read-only copy; so too where the manifest is silent.
        case path
        /// The sink decides by name, type and digest alone; no copy is made for it.
        case none
    }

    /// What a sink cannot work without.
    public struct Needs: Sendable, Codable, Equatable {
        /// Whether it calls other machines; not, where absent.
        public var network: Bool?

        /// Needs what is given.
        public init(network: Bool? = nil) { self.network = network }
    }

    /// The sink's clocks in seconds, and what it may use; what is absent takes the host's defaults.
    public struct Limits: Sendable, Codable, Equatable {
        /// From start to `ready`.
        public var startupSeconds: Int?
        /// Between two lines of a delivery.
        public var stallSeconds: Int?
        /// For one delivery.
        public var totalSeconds: Int?
        /// Address space of each of its processes, in MiB.
        public var memoryMiB: Int?
        /// Processor time of each of its processes, in seconds.
        public var processorSeconds: Int?
        /// The largest file that it may write, in MiB.
        public var fileMiB: Int?
        /// How many processes and threads it may have at a time.
        public var processes: Int?

        /// Sets what is given.
        public init(
            startupSeconds: Int? = nil, stallSeconds: Int? = nil, totalSeconds: Int? = nil, memoryMiB: Int? = nil,
            processorSeconds: Int? = nil, fileMiB: Int? = nil, processes: Int? = nil
        ) {
            self.startupSeconds = startupSeconds
            self.stallSeconds = stallSeconds
            self.totalSeconds = totalSeconds
            self.memoryMiB = memoryMiB
            self.processorSeconds = processorSeconds
            self.fileMiB = fileMiB
            self.processes = processes
        }

        enum CodingKeys: String, CodingKey {
            case startupSeconds = "startup_s"
            case stallSeconds = "stall_s"
            case totalSeconds = "total_s"
            case memoryMiB = "memory_mib"
            case processorSeconds = "processor_s"
            case fileMiB = "file_mib"
            case processes
        }
    }

    /// A manifest of the current protocol.
    public init(
        id: String, version: String, protocol speaks: Int = SinkProtocol.version, command: [String],
        accepts: [Acceptance], role: Role = .primary, content: ContentNeed? = nil, limits: Limits? = nil,
        needs: Needs? = nil, config: JSONValue? = nil, secrets: [String]? = nil
    ) {
        self.id = id
        self.version = version
        self.protocol = speaks
        self.command = command
        self.accepts = accepts
        self.role = role
        self.content = content
        self.limits = limits
        self.needs = needs
        self.config = config
        self.secrets = secrets
    }
}
