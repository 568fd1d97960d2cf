internal import Glibc
public import ShareModel

/// A program that receives shares. Conform a type to it and mark the type `@main`; the program then speaks the sink
/// protocol.
///
/// ```swift
/// import SinkKit
///
/// @main struct Counter: Sink {
///     static let id = "counter"
///     static let version = "1.0.0"
///
///     mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
///         .delivered(metadata: ["bytes": .integer(delivery.parts[0].size)])
///     }
/// }
/// ```
///
/// SinkKit hands over one delivery at a time, and makes all calls on one thread. A sink may therefore keep state and
/// call blocking libraries. `print` writes to the sink's log (standard error), not into the protocol.
public protocol Sink {
    /// The sink's id, the same as in its `sink.json`.
    static var id: String { get }
    /// The sink's own version, the same as in its `sink.json`.
    static var version: String { get }
    /// The largest number of deliveries that the host hands over before the first answer. A value above 1 saves the
    /// sink the wait for its next delivery. If the sink crashes, the host retries all of them, each one alone. The
    /// default is 1.
    static var maxInFlight: Int { get }
    /// The optional features of the sink. List ``SinkProtocol/Feature/check`` if ``check(_:)`` answers from a record of
    /// the sink's own. The default is none.
    static var features: [SinkProtocol.Feature] { get }

    /// Creates the sink, once in the process, before the host's first message.
    init()

    /// Receives the sink's configuration, once, before the first delivery. A thrown error ends the session.
    mutating func configure(_ configuration: JSONValue) throws

    /// Receives the secrets that the manifest names, once, before ``configure(_:)``. A thrown error ends the session.
    mutating func configure(secrets: [String: String]) throws

    /// Handles one delivery. The same key may come again, if the host or the sink crashed before the host recorded the
    /// answer.
    ///
    /// Throw a ``SinkFailure`` to state the class of a failure; any other error counts as permanent.
    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement

    /// Answers whether a delivery with this key arrived in an earlier attempt. The default answers `unknown`.
    mutating func check(_ key: String) throws -> Presence
}

extension Sink {
    /// One delivery at a time.
    public static var maxInFlight: Int { 1 }
    /// No optional features.
    public static var features: [SinkProtocol.Feature] { [] }
    /// Ignores the secrets.
    public mutating func configure(secrets: [String: String]) throws {}
    /// Ignores the configuration.
    public mutating func configure(_ configuration: JSONValue) throws {}
    /// Answers `unknown`.
    public mutating func check(_ key: String) throws -> Presence { .unknown }

    /// Runs the sink on standard input and output until the host sends `goodbye` or closes the pipe.
    ///
    /// If the session cannot continue, this method writes the reason to the log and ends the process with status 1.
    public static func main() {
        do {
            var session = try SinkSession<Self>()
            try session.run()
        } catch {
            print("\(id): \(error)")
            exit(1)
        }
    }
}

/// The result of a delivery that did not fail.
public enum Settlement: Sendable, Equatable {
    /// The delivery succeeded. The metadata are the sink's findings; each product names a file that the sink wrote
    /// below `out`.
    case delivered(metadata: JSONValue = [:], products: [Product] = [])
    /// The sink had this delivery before.
    case duplicate
    /// The sink does not want this delivery; this is not an error.
    case declined(why: String)
    /// The host makes a request in the background, and the delivery comes again when the service has answered: see ``Delivery/transfer``.
    /// The sink needs the feature ``SinkProtocol/Feature/transfer``.
    case transferring(Transfer)

    /// A request that the host makes in the background.
    public struct Transfer: Sendable, Equatable {
        /// The method, in capital letters.
        public var method: String
        /// An absolute URL; with `account`, also a path below the address of the account.
        public var url: String
        /// Whether the request goes out under the account of the sink's settings.
        public var account: Bool
        /// The headers by their names.
        public var headers: [String: String]
        /// The body: a text, bytes or a part; `nil` for none.
        public var body: SinkMessage.RequestBody?
        /// How the upload of a part goes on after an interruption.
        public var resumable: SinkMessage.Transfer.Resumption
        /// What the sink needs when the delivery comes again.
        public var state: JSONValue?
        /// Whether the body of a successful answer goes to a file: see ``Delivery/EndedTransfer/file``.
        public var download: Bool

        /// A request with the given values.
        public init(
            _ method: String, _ url: String, account: Bool = false, headers: [String: String] = [:],
            body: SinkMessage.RequestBody? = nil, resumable: SinkMessage.Transfer.Resumption = .none,
            state: JSONValue? = nil, download: Bool = false
        ) {
            (self.method, self.url, self.account, self.headers) = (method, url, account, headers)
            (self.body, self.resumable, self.state, self.download) = (body, resumable, state, download)
        }
    }
}

/// A delivery failed.
public struct SinkFailure: Error, Sendable, CustomStringConvertible {
    /// Whether a later attempt may succeed.
    public var kind: FailureClass
    /// The reason: the failed operation, its object, and the remedy.
    public var why: String
    /// The shortest time that the host should wait before it tries again, if the sink knows it.
    public var retryAfterMilliseconds: Int?

    /// A failure of this class, with the reason and the remedy.
    public init(_ kind: FailureClass, _ why: String, retryAfterMilliseconds: Int? = nil) {
        self.kind = kind
        self.why = why
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// The reason, ``why``.
    public var description: String { why }
}

/// Talks to the host about one delivery.
public struct Report {
    let send: (SinkMessage) throws -> Void
    let response: (SinkMessage.Request) throws -> HostMessage.Response
    let id: String

    /// Resets the host's stall clock. `fraction` is the finished part of the work, from 0 to 1.
    public func progress(_ fraction: Double? = nil) throws {
        try send(.progress(.init(id: id, fraction: fraction)))
    }

    /// Lets the host make a request, and waits for its answer. The sink needs the feature ``SinkProtocol/Feature/transfer``.
    ///
    /// - Parameters:
    ///   - url: an absolute URL; with `account`, also a path below the address of the account.
    ///   - account: whether the request goes out under the account of the sink's settings, with its credential.
    /// - Returns: the service's answer with any status, or the reason why there is none.
    /// - Throws: ``SinkFailure`` if the host takes the delivery back or ends.
    public func request(
        _ method: String, _ url: String, account: Bool = false, headers: [String: String] = [:],
        body: SinkMessage.RequestBody? = nil
    ) throws -> HostMessage.Response {
        // One request at a time, so one name is enough.
        let request = SinkMessage.Request(
            id: id, name: "request", method: method, url: url, account: account ? true : nil,
            headers: headers.isEmpty ? nil : headers, body: body)
        try send(.request(request))
        return try response(request)
    }
}
