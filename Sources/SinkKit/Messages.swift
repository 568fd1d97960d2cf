public import ShareModel

/// Any JSON value: the configuration that a sink receives, or the metadata that it returns.
public typealias JSONValue = ShareModel.JSONValue

/// A line from the host to a sink: an object with exactly one known key, which names the message.
///
/// <doc:SinkProtocol> specifies the order of the messages, the limits and the clocks.
public enum HostMessage: Sendable, Codable, Equatable {
    /// Opens the session.
    case hello(HostHello)
    /// Sends the sink's configuration and secrets, once.
    case configure(Configuration)
    /// Hands over one delivery.
    case deliver(Delivery)
    /// Asks whether an earlier delivery arrived.
    case check(Check)
    /// Cancels an open delivery.
    case cancel(Cancellation)
    /// Answers a request.
    case response(Response)
    /// Ends the session.
    case goodbye

    /// The first line of a session.
    public struct HostHello: Sendable, Codable, Equatable {
        /// The version of the protocol that the host speaks.
        public var `protocol`: Int
        /// The host's name and version, for the log.
        public var host: String
        /// The optional features of the host; none if `nil`.
        public var features: [SinkProtocol.Feature]?
        /// The features that the sink must have; a sink that lacks one ends the session. None if `nil`.
        public var requires: [SinkProtocol.Feature]?

        /// A greeting with the given values.
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

    /// The user's configuration for this sink.
    public struct Configuration: Sendable, Codable, Equatable {
        /// An object; empty if the user has set nothing.
        public var config: JSONValue
        /// Every secret that the manifest names, by name; none if `nil`.
        public var secrets: [String: String]?

        /// A configuration with the given values.
        public init(config: JSONValue, secrets: [String: String]? = nil) {
            self.config = config
            self.secrets = secrets
        }
    }

    /// Asks whether a delivery of an earlier session arrived.
    public struct Check: Sendable, Codable, Equatable {
        /// Identifies this check in the answer.
        public var id: String
        /// The delivery's key.
        public var key: String

        /// A check of the delivery with this key.
        public init(id: String, key: String) {
            self.id = id
            self.key = key
        }
    }

    /// The answer to a request: what the service answered, or why there is no answer.
    public struct Response: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// The name of the request.
        public var name: String
        /// The status of the service's answer; `nil` if there is none.
        public var status: Int?
        /// The headers of the answer by their names in lower case. The values of one name have commas between them.
        public var headers: [String: String]?
        /// The body of the answer, if it is text in UTF-8.
        public var text: String?
        /// Any other body, in base64.
        public var base64: String?
        /// The address that has answered, if redirections led to another one.
        public var url: String?
        /// Why there is no answer.
        public var failure: RequestFailure?

        /// An answer with the given values.
        public init(
            id: String, name: String, status: Int? = nil, headers: [String: String]? = nil, text: String? = nil,
            base64: String? = nil, url: String? = nil, failure: RequestFailure? = nil
        ) {
            (self.id, self.name, self.status, self.headers) = (id, name, status, headers)
            (self.text, self.base64, self.url, self.failure) = (text, base64, url, failure)
        }
    }

    /// Why a request has no answer.
    public struct RequestFailure: Sendable, Codable, Equatable {
        /// What a sink should answer for its delivery, if it has no other way.
        public var `class`: FailureClass
        /// What failed, on what, and the remedy.
        public var why: String
        /// Whether the service may have got the request; `false` if `nil`.
        public var mayHaveArrived: Bool?

        /// A failure with the given values.
        public init(class kind: FailureClass, why: String, mayHaveArrived: Bool? = nil) {
            (self.class, self.why, self.mayHaveArrived) = (kind, why, mayHaveArrived)
        }

        enum CodingKeys: String, CodingKey {
            case `class`, why
            case mayHaveArrived = "may_have_arrived"
        }
    }

    /// The delivery to cancel.
    public struct Cancellation: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String

        /// A cancellation of the delivery with this id.
        public init(id: String) { self.id = id }
    }
}

/// A line from a sink to the host: an object with exactly one known key, which names the message.
public enum SinkMessage: Sendable, Codable, Equatable {
    /// Answers the host's greeting.
    case hello(SinkHello)
    /// The sink has accepted the configuration.
    case ready
    /// The sink is still working on a delivery.
    case progress(Progress)
    /// The sink has finished a delivery.
    case done(Done)
    /// The sink has failed a delivery.
    case fail(Failure)
    /// Answers a check.
    case checked(Checked)
    /// Asks the host to make a request for an open delivery.
    case request(Request)
    /// Hands a delivery over to a request that the host makes in the background.
    case transfer(Transfer)

    /// The sink's greeting.
    public struct SinkHello: Sendable, Codable, Equatable {
        /// The version of the protocol that the sink speaks.
        public var `protocol`: Int
        /// As in `sink.json`.
        public var id: String
        /// As in `sink.json`.
        public var version: String
        /// The largest number of open deliveries that the sink accepts; 1 if `nil`.
        public var maxInFlight: Int?
        /// The number of answers after which the process exits by itself; no limit if `nil`. The host starts a new
        /// process for later deliveries.
        public var maxDeliveries: Int?
        /// The optional features of the sink; none if `nil`.
        public var features: [SinkProtocol.Feature]?
        /// The features that the host must have; a host that lacks one ends the session. None if `nil`.
        public var requires: [SinkProtocol.Feature]?

        /// A greeting with the given values.
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

    /// Says that the sink is still working, and resets the host's stall clock.
    public struct Progress: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// The finished part of the work, from 0 to 1, if the sink knows it.
        public var fraction: Double?

        /// A report of progress.
        public init(id: String, fraction: Double? = nil) {
            self.id = id
            self.fraction = fraction
        }
    }

    /// The answer to a delivery that did not fail.
    public struct Done: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// The result.
        public var status: Status
        /// The reason for `declined`.
        public var why: String?
        /// The sink's findings, as an object.
        public var metadata: JSONValue?
        /// The files that the sink wrote below `out`.
        public var products: [Product]?

        /// The results other than failure: the delivery succeeded, the sink had it before, or the sink does not want
        /// it.
        public enum Status: String, Sendable, Codable {
            /// The raw values are also the words in receipts.
            case delivered, duplicate, declined
        }

        /// An answer with the given values.
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

    /// The answer to a delivery that failed.
    public struct Failure: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// Whether a later attempt may succeed.
        public var `class`: FailureClass
        /// The shortest time that the host should wait before it tries again, in milliseconds.
        public var retryAfterMilliseconds: Int?
        /// The reason: the failed operation, its object, and the remedy.
        public var why: String

        /// An answer with the given values.
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

    /// A request that the host makes for the sink.
    public struct Request: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// Names the request in its answer. No other open request of the delivery has the name.
        public var name: String
        /// `GET`, `POST` …
        public var method: String
        /// An absolute URL; with ``account``, also a path below the address of the account.
        public var url: String
        /// Whether the request goes out under the account of the sink's settings, with its credential; `false` if `nil`.
        public var account: Bool?
        /// The headers by their names. The host sets some itself, such as `Authorization`.
        public var headers: [String: String]?
        /// The body; `nil` for none.
        public var body: RequestBody?

        /// A request with the given values.
        public init(
            id: String, name: String, method: String, url: String, account: Bool? = nil,
            headers: [String: String]? = nil, body: RequestBody? = nil
        ) {
            (self.id, self.name, self.method, self.url, self.account) = (id, name, method, url, account)
            (self.headers, self.body) = (headers, body)
        }
    }

    /// Hands a delivery over to a request that may take longer than the sink and the host live. It answers the delivery. When the service has
    /// answered, the delivery comes again, with ``Delivery/transfer``.
    public struct Transfer: Sendable, Codable, Equatable {
        /// The delivery's id.
        public var id: String
        /// The method, in capital letters.
        public var method: String
        /// An absolute URL; with `account`, also a path below the address of the account.
        public var url: String
        /// Whether the request goes out under the account of the sink's settings; `false` if `nil`.
        public var account: Bool?
        /// The headers by their names. The host sets some itself, such as `Authorization`.
        public var headers: [String: String]?
        /// The body: a text, bytes or a part; `nil` for none.
        public var body: RequestBody?
        /// How the upload of a part goes on after an interruption; `none` if `nil`.
        public var resumable: Resumption?
        /// What the sink needs when the delivery comes again, up to 4,096 bytes of JSON.
        public var state: JSONValue?
        /// Whether the body of a successful answer goes to a file, which the delivery brings when it comes again; `false` if `nil`.
        public var download: Bool?

        /// The protocols of uploads that go on where they were interrupted.
        public enum Resumption: String, Sendable, Codable {
            /// The request begins again.
            case none
            /// tus, version 1.0. The URL is that of the creation.
            case tus
            /// Resumable uploads of the IETF, interop version 6. The URL is that of the creation.
            case ietf
            /// Multipart uploads of S3, for a body of more than 16 MiB. The URL is that of the object.
            case s3
        }

        /// A transfer with the given values.
        public init(
            id: String, method: String, url: String, account: Bool? = nil, headers: [String: String]? = nil,
            body: RequestBody? = nil, resumable: Resumption? = nil, state: JSONValue? = nil, download: Bool? = nil
        ) {
            (self.id, self.method, self.url, self.account, self.headers) = (id, method, url, account, headers)
            (self.body, self.resumable, self.state, self.download) = (body, resumable, state, download)
        }
    }

    /// The body of a request: exactly one of these.
    public struct RequestBody: Sendable, Codable, Equatable {
        /// A text, sent as UTF-8.
        public var text: String?
        /// Bytes in base64.
        public var base64: String?
        /// The index of a part of the delivery, whose file is sent.
        public var part: Int?
        /// The path of a file below `out`.
        public var product: String?

        /// A body with the given value.
        public init(text: String? = nil, base64: String? = nil, part: Int? = nil, product: String? = nil) {
            (self.text, self.base64, self.part, self.product) = (text, base64, part, product)
        }
    }

    /// The answer to a check.
    public struct Checked: Sendable, Codable, Equatable {
        /// The check's id.
        public var id: String
        /// Whether the delivery arrived in an earlier attempt.
        public var answer: Presence

        /// An answer to the check with this id.
        public init(id: String, answer: Presence) {
            self.id = id
            self.answer = answer
        }
    }
}

/// The class of a failure, which decides what the host does next.
public enum FailureClass: String, Sendable, Codable {
    /// A later attempt may succeed; the delivery stays open.
    case transient
    /// No attempt will succeed.
    case permanent
    /// The sink needs a new secret.
    case auth
}

/// Whether a sink already has the delivery with a certain key.
public enum Presence: String, Sendable, Codable {
    /// If the answer is `unknown` or `absent`, the host delivers again.
    case present, absent, unknown
}

/// A file that a sink created for a delivery, in the delivery's `out` folder.
public struct Product: Sendable, Codable, Equatable {
    /// The path relative to `out`; a regular file, not a link.
    public var path: String
    /// The purpose of the product: `thumbnail`, `text` …
    public var role: String
    /// The MIME type that the sink claims.
    public var type: String

    /// A product with the given values; nothing is checked.
    public init(path: String, role: String, type: String) {
        self.path = path
        self.role = role
        self.type = type
    }
}
