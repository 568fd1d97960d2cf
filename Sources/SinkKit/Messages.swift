public import ShareModel

/// Any JSON value: a sink's configuration going in, its metadata coming out.
public typealias JSONValue = ShareModel.JSONValue

/// A line from the host to a sink: an object with exactly one known key, which names the message.
///
/// See <doc:SinkProtocol> for the order of messages, the limits and the clocks.
public enum HostMessage: Sendable, Codable, Equatable {
    /// Opens the session.
    case hello(HostHello)
    /// Brings the sink's configuration, once.
    case configure(Configuration)
    /// Hands over one delivery.
    case deliver(Delivery)
    /// Asks whether an earlier delivery arrived.
    case check(Check)
    /// Takes back a delivery that is not settled yet.
    case cancel(Cancellation)
    /// Ends the session.
    case goodbye

    /// The first line of a session.
    public struct HostHello: Sendable, Codable, Equatable {
        /// The version of the protocol that the host speaks.
        public var `protocol`: Int
        /// The host's name and version, for the log.
        public var host: String
        /// What the host can do besides what every host of this version must; none where absent.
        public var features: [SinkProtocol.Feature]?
        /// What the sink must be able to do, else it ends the session; nothing where absent.
        public var requires: [SinkProtocol.Feature]?

        /// A greeting.
        public init(
            protocol version: Int, host: String, features: [SinkProtocol.Feature]? = nil,
            requires: [SinkProtocol.Feature]? = nil
        ) {
            self.protocol = version
            self.host = host
            self.features = features
            self.requires = requires
        }
    }

    /// What the person has set for this sink.
    public struct Configuration: Sendable, Codable, Equatable {
        /// An object; empty where nothing is set.
        public var config: JSONValue
        /// Every secret that the manifest names, by its name; none where absent.
        public var secrets: [String: String]?

        /// A configuration.
        public init(config: JSONValue, secrets: [String: String]? = nil) {
            self.config = config
            self.secrets = secrets
        }
    }

    /// Asks whether a delivery of an earlier session arrived.
    public struct Check: Sendable, Codable, Equatable {
        /// Names this question in the answer.
        public var id: String
        /// The delivery's key.
        public var key: String

        /// A question.
        public init(id: String, key: String) {
            self.id = id
            self.key = key
        }
    }

    /// Which delivery is taken back.
    public struct Cancellation: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String

        /// A cancellation.
        public init(id: String) { self.id = id }
    }
}

/// A line from a sink to the host: an object with exactly one known key, which names the message.
public enum SinkMessage: Sendable, Codable, Equatable {
    /// Answers the host's greeting.
    case hello(SinkHello)
    /// Says that the configuration is taken.
    case ready
    /// Says that a delivery is still being worked on.
    case progress(Progress)
    /// Settles a delivery.
    case done(Done)
    /// Gives a delivery up.
    case fail(Failure)
    /// Answers a check.
    case checked(Checked)

    /// The sink's greeting; the id is that of its `sink.json`.
    public struct SinkHello: Sendable, Codable, Equatable {
        /// The version of the protocol that the sink speaks.
        public var `protocol`: Int
        /// As in `sink.json`.
        public var id: String
        /// As in `sink.json`.
        public var version: String
        /// How many deliveries the sink takes before it answers the first; 1 where absent.
        public var maxInFlight: Int?
        /// After how many deliveries the process ends by itself; a new one is started then. No end where absent.
        public var maxDeliveries: Int?
        /// What the sink can do besides what every sink of this version must; none where absent.
        public var features: [SinkProtocol.Feature]?
        /// What the host must be able to do, else it ends the session; nothing where absent.
        public var requires: [SinkProtocol.Feature]?

        /// A greeting.
        public init(
            protocol version: Int, id: String, version own: String, maxInFlight: Int? = nil, maxDeliveries: Int? = nil,
            features: [SinkProtocol.Feature]? = nil, requires: [SinkProtocol.Feature]? = nil
        ) {
            self.protocol = version
            self.id = id
            self.version = own
            self.maxInFlight = maxInFlight
            self.maxDeliveries = maxDeliveries
            self.features = features
            self.requires = requires
        }

        enum CodingKeys: String, CodingKey {
            case `protocol`, id, version, features, requires
            case maxInFlight = "max_in_flight"
            case maxDeliveries = "max_deliveries"
        }
    }

    /// Says that the sink is alive; it sets the stall clock back.
    public struct Progress: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// How much is done, 0 to 1, where the sink knows.
        public var fraction: Double?

        /// A sign of life.
        public init(id: String, fraction: Double? = nil) {
            self.id = id
            self.fraction = fraction
        }
    }

    /// A delivery that ended well.
    public struct Done: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// How it ended.
        public var status: Status
        /// Why it was declined.
        public var why: String?
        /// What the sink found out; an object.
        public var metadata: JSONValue?
        /// What it left below `out`.
        public var products: [Product]?

        /// The good ends: it arrived, it had arrived before, the sink does not want it.
        public enum Status: String, Sendable, Codable {
            /// In the words of the receipts.
            case delivered, duplicate, declined
        }

        /// A settled delivery.
        public init(
            id: String, status: Status, why: String? = nil, metadata: JSONValue? = nil, products: [Product]? = nil
        ) {
            self.id = id
            self.status = status
            self.why = why
            self.metadata = metadata
            self.products = products
        }
    }

    /// A delivery that failed.
    public struct Failure: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// Whether it makes sense to try again.
        public var `class`: FailureClass
        /// How long the host should wait first.
        public var retryAfterMilliseconds: Int?
        /// What failed, on what, and the remedy.
        public var why: String

        /// A delivery given up.
        public init(id: String, class kind: FailureClass, retryAfterMilliseconds: Int? = nil, why: String) {
            self.id = id
            self.class = kind
            self.retryAfterMilliseconds = retryAfterMilliseconds
            self.why = why
        }

        enum CodingKeys: String, CodingKey {
            case id, why
            case `class`
            case retryAfterMilliseconds = "retry_after_ms"
        }
    }

    /// The answer to a check.
    public struct Checked: Sendable, Codable, Equatable {
        /// The check's id.
        public var id: String
        /// Whether the sink has it.
        public var answer: Presence

        /// An answer.
        public init(id: String, answer: Presence) {
            self.id = id
            self.answer = answer
        }
    }
}

/// What kind of failure this is, and so what the host does next.
public enum FailureClass: String, Sendable, Codable {
    /// It may work later; the delivery stays open.
    case transient
    /// It will never work.
    case permanent
    /// It waits for a new secret.
    case auth
}

/// Whether a sink already holds what a delivery's key names.
public enum Presence: String, Sendable, Codable {
    /// The answers to a check; `unknown` makes the host deliver again.
    case present, absent, unknown
}

/// Something that a sink made of a delivery and left in its `out` folder.
public struct Product: Sendable, Codable, Equatable {
    /// Where it lies, relative to `out`; a regular file, not a link.
    public var path: String
    /// What it is to the delivery: `thumbnail`, `text` …
    public var role: String
    /// The MIME type that the sink claims.
    public var type: String

    /// A product of this role.
    public init(path: String, role: String, type: String) {
        self.path = path
        self.role = role
        self.type = type
    }
}
