/// A sink's `sink.json`: the facts that the host needs before it starts the program.
public struct SinkManifest: Sendable, Codable, Equatable {
    /// The name of the sink in settings, receipts and messages: lower-case letters, digits and hyphens.
    public var id: String
    /// The sink's own version, for people and receipts.
    public var version: String
    /// The version of the protocol that the sink speaks.
    public var `protocol`: Int
    /// The program and its arguments. The host looks for the program beside `sink.json` and in the folder above.
    public var command: [String]
    /// The types that the sink accepts; it gets no delivery of another type.
    public var accepts: [Acceptance]
    /// Whether the sink competes with others for a group, or gets every group that it accepts.
    public var role: Role
    /// Whether each part has a file to read.
    public var content: ContentNeed?
    /// The sink's own clocks and resource limits, where the host's defaults do not fit.
    public var limits: Limits?
    /// What the sink needs from the user.
    public var needs: Needs?
    /// A JSON Schema for the sink's configuration. The host checks the configuration against it before it starts the
    /// sink.
    public var config: JSONValue?
    /// The names of the secrets that the sink needs.
    public var secrets: [String]?
    /// Whether a repeated delivery has no further effect, because the sink's service recognizes its key; `false` if `nil`.
    public var idempotent: Bool?

    /// A type that the sink accepts: `application/pdf`, `image/*` or `*/*`.
    public struct Acceptance: Sendable, Codable, Equatable {
        /// The pattern. A type beats `image/*`, which beats `*/*`.
        public var type: String
        /// Breaks ties between equally specific acceptances: the higher number wins. 0 if `nil`.
        public var priority: Int?

        /// An acceptance of the types that match the pattern.
        public init(type: String, priority: Int? = nil) {
            self.type = type
            self.priority = priority
        }
    }

    /// How the host distributes groups among the sinks.
    public enum Role: String, Sendable, Codable {
        /// The host gives each group to one primary sink, the one with the most specific acceptance.
        case primary
        /// The sink gets every group that it accepts, in addition to the primary sink.
        case also
    }

    /// Whether the sink reads the content.
    public enum ContentNeed: String, Sendable, Codable {
        /// Each part has the path of a read-only copy. This is the default.
        case path
        /// The sink decides by name, type and digest alone; the host makes no copy for it.
        case none
    }

    /// What a sink needs from a person.
    public struct Needs: Sendable, Codable, Equatable {
        /// Whether the sink uses the network; `false` if `nil`.
        public var network: Bool?
        /// Whether the sink lets the host make requests; it makes none if `nil`.
        public var requests: Requests?
        /// Whether the sink gets no delivery before a person has written settings for it; `false` if `nil`.
        public var settings: Bool?

        /// The given needs.
        public init(network: Bool? = nil, requests: Requests? = nil, settings: Bool? = nil) {
            (self.network, self.requests, self.settings) = (network, requests, settings)
        }

        /// Whether a sink needs an account or hosts in its settings, to which its requests go.
        public enum Requests: Sendable, Equatable {
            /// It cannot work without.
            case required
            /// It also works without.
            case optional
        }
    }

    /// The sink's clocks and resource limits. The host's defaults replace absent values.
    public struct Limits: Sendable, Codable, Equatable {
        /// From the start of the process to `ready`.
        public var startupSeconds: Int?
        /// Between two lines, while a delivery or check is open.
        public var stallSeconds: Int?
        /// For one delivery, after the answers to the earlier ones.
        public var totalSeconds: Int?
        /// Address space of each of its processes, in MiB.
        public var memoryMiB: Int?
        /// Processor time of each of its processes, in seconds.
        public var processorSeconds: Int?
        /// The size of each file that it writes, in MiB.
        public var fileMiB: Int?
        /// The number of its processes and threads at a time.
        public var processes: Int?

        /// The given limits.
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

    /// A manifest with the given values; nothing is checked.
    public init(
        id: String, version: String, protocol speaks: Int = SinkProtocol.version, command: [String],
        accepts: [Acceptance], role: Role = .primary, content: ContentNeed? = nil, limits: Limits? = nil,
        needs: Needs? = nil, config: JSONValue? = nil, secrets: [String]? = nil,
        idempotent: Bool? = nil
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
        self.idempotent = idempotent
    }
}
