public import ShareModel

/// Any JSON value: a sink's configuration going in, its metadata coming out.
public typealias JSONValue = ShareModel.JSONValue

/// A line from the host to a sink: an object with exactly one known key, which names the message.
///
/// See <doc:SinkProtocol> for the order of messages, the limits and the clocks.
public enum HostMessage: Sendable, Codable, Equatable {
    case hello(HostHello)
    case configure(Configuration)
    case deliver(Delivery)
    case check(Check)
    case cancel(Cancellation)
    case goodbye

    /// The first line of a session.
    public struct HostHello: Sendable, Codable, Equatable {
        public var `protocol`: Int
        public var host: String

        public init(protocol version: Int, host: String) {
            self.protocol = version
            self.host = host
        }
    }

    public struct Configuration: Sendable, Codable, Equatable {
        public var config: JSONValue

        public init(config: JSONValue) { self.config = config }
    }

    /// Asks whether a delivery of an earlier session arrived.
    public struct Check: Sendable, Codable, Equatable {
        public var id: String
        public var key: String

        public init(id: String, key: String) {
            self.id = id
            self.key = key
        }
    }

    public struct Cancellation: Sendable, Codable, Equatable {
        public var id: String

        public init(id: String) { self.id = id }
    }
}

/// A line from a sink to the host: an object with exactly one known key, which names the message.
public enum SinkMessage: Sendable, Codable, Equatable {
    case hello(SinkHello)
    case ready
    case progress(Progress)
    case done(Done)
    case fail(Failure)
    case checked(Checked)

    public struct SinkHello: Sendable, Codable, Equatable {
        public var `protocol`: Int
        public var id: String
        public var version: String
        /// How many deliveries the sink takes before it answers the first; 1 where absent.
        public var maxInFlight: Int?

        public init(protocol version: Int, id: String, version own: String, maxInFlight: Int? = nil) {
            self.protocol = version
            self.id = id
            self.version = own
            self.maxInFlight = maxInFlight
        }

        enum CodingKeys: String, CodingKey {
            case `protocol`, id, version
            case maxInFlight = "max_in_flight"
        }
    }

    /// Says that the sink is alive; it sets the stall clock back.
    public struct Progress: Sendable, Codable, Equatable {
        public var id: String
        /// How much is done, 0 to 1, where the sink knows.
        public var fraction: Double?

        public init(id: String, fraction: Double? = nil) {
            self.id = id
            self.fraction = fraction
        }
    }

    /// A delivery that ended well.
    public struct Done: Sendable, Codable, Equatable {
        public var id: String
        public var status: Status
        /// Why it was declined.
        public var why: String?
        public var metadata: JSONValue?
        public var products: [Product]?

        public enum Status: String, Sendable, Codable {
            case delivered, duplicate, declined
        }

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
        public var id: String
        public var `class`: FailureClass
        public var retryAfterMilliseconds: Int?
        /// What failed, on what, and the remedy.
        public var why: String

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

    public struct Checked: Sendable, Codable, Equatable {
        public var id: String
        public var answer: Presence

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

    public init(path: String, role: String, type: String) {
        self.path = path
        self.role = role
        self.type = type
    }
}
