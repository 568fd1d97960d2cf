/// A sink's `sink.json`: all that the host must know before it starts the program.
public struct SinkManifest: Sendable, Codable, Equatable {
    /// Lower-case letters, digits and hyphens; names the sink everywhere.
    public var id: String
    public var version: String
    /// The protocol's version that the sink speaks.
    public var `protocol`: Int
    /// The program, looked up beside `sink.json` and in the folder above, and its arguments.
    public var command: [String]
    public var accepts: [Acceptance]
    public var role: Role
    /// Whether parts come with a file to read.
    public var content: ContentNeed?
    public var limits: Limits?

    /// A type that the sink takes: `application/pdf`, `image/*` or `*/*`.
    public struct Acceptance: Sendable, Codable, Equatable {
        public var type: String
        /// Breaks the tie between equally specific acceptances; the higher wins, 0 where absent.
        public var priority: Int?

        public init(type: String, priority: Int? = nil) {
            self.type = type
            self.priority = priority
        }
    }

    public enum Role: String, Sendable, Codable {
        /// One of these gets each group: the most specific acceptance wins.
        case primary
        /// Gets every group that it accepts, besides the primary sink.
        case also
    }

    public enum ContentNeed: String, Sendable, Codable {
        case path
        /// The sink decides by name, type and digest alone; no copy is made for it.
        case none
    }

    /// The sink's clocks, in seconds; absent ones take the host's defaults.
    public struct Limits: Sendable, Codable, Equatable {
        /// From start to `ready`.
        public var startupSeconds: Int?
        /// Between two lines of a delivery.
        public var stallSeconds: Int?
        /// For one delivery.
        public var totalSeconds: Int?

        public init(startupSeconds: Int? = nil, stallSeconds: Int? = nil, totalSeconds: Int? = nil) {
            self.startupSeconds = startupSeconds
            self.stallSeconds = stallSeconds
            self.totalSeconds = totalSeconds
        }

        enum CodingKeys: String, CodingKey {
            case startupSeconds = "startup_s"
            case stallSeconds = "stall_s"
            case totalSeconds = "total_s"
        }
    }

    public init(
        id: String, version: String, protocol speaks: Int = SinkProtocol.version, command: [String],
        accepts: [Acceptance], role: Role = .primary, content: ContentNeed? = nil, limits: Limits? = nil
    ) {
        self.id = id
        self.version = version
        self.protocol = speaks
        self.command = command
        self.accepts = accepts
        self.role = role
        self.content = content
        self.limits = limits
    }
}
