public import ShareModel

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Where shares arrive: conform to it, mark the type `@main`, and the program speaks the sink protocol.
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
/// Deliveries are taken one after another and all calls come from one thread, so a sink may keep state and call
/// blocking libraries. A `print` goes to the sink's log (standard error), not into the protocol.
public protocol Sink {
    /// The same as in the sink's `sink.json`.
    static var id: String { get }
    /// The sink's own version, as in its `sink.json`.
    static var version: String { get }
    /// How many deliveries the host may hand over before the first is answered, so that the next one is at hand; 1 by
    /// default. Should the sink die, all of them are tried again, each alone.
    static var maxInFlight: Int { get }
    /// What the sink can do besides what every sink must: ``SinkProtocol/Feature/check`` where ``check(_:)`` answers from
    /// a record of its own. Nothing by default.
    static var features: [SinkProtocol.Feature] { get }

    /// Makes the sink, once for the process, before anything is known of the host.
    init()

    /// Takes the sink's configuration, once, before the first delivery. A throw ends the session.
    mutating func configure(_ configuration: JSONValue) throws

    /// Takes the secrets that the manifest names, as far as the person has said where they are; once, before
    /// ``configure(_:)``.
    mutating func configure(secrets: [String: String]) throws

    /// Takes one delivery. It may come again with the same key, when the host or the sink died before the answer.
    ///
    /// Throw a ``SinkFailure`` to say whether trying again makes sense; any other error is permanent.
    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement

    /// Tells whether what the key names has arrived here. The default does not know.
    mutating func check(_ key: String) throws -> Presence
}

extension Sink {
    /// One.
    public static var maxInFlight: Int { 1 }
    /// None.
    public static var features: [SinkProtocol.Feature] { [] }
    /// Takes the secrets that the manifest names. The default ignores them.
    public mutating func configure(secrets: [String: String]) throws {}
    /// Ignores the configuration.
    public mutating func configure(_ configuration: JSONValue) throws {}
    /// Does not know.
    public mutating func check(_ key: String) throws -> Presence { .unknown }

    /// Runs the sink over standard input and output until the host says goodbye or closes the pipe.
    ///
    /// A session that cannot go on ends the process with status 1, after the reason in the log.
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

/// How a delivery ended well.
public enum Settlement: Sendable, Equatable {
    /// It arrived. The metadata say what was found out; each product names a file that was left below `out`.
    case delivered(metadata: JSONValue = [:], products: [Product] = [])
    /// The sink has had it before.
    case duplicate
    /// The sink does not want it; that is not an error.
    case declined(why: String)
}

/// How a delivery failed.
public struct SinkFailure: Error, Sendable, CustomStringConvertible {
    /// Whether it makes sense to try again.
    public var kind: FailureClass
    /// What failed, on what, and the remedy.
    public var why: String
    /// How long the host should wait first, where the sink knows.
    public var retryAfterMilliseconds: Int?

    /// A failure of this kind, for this reason.
    public init(_ kind: FailureClass, _ why: String, retryAfterMilliseconds: Int? = nil) {
        self.kind = kind
        self.why = why
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// The reason.
    public var description: String { why }
}

/// A sink's way to say that it is still at work on a delivery.
public struct Report {
    let send: (SinkMessage.Progress) throws -> Void
    let id: String

    /// Sets the host's stall clock back; `fraction` is how much is done, 0 to 1.
    public func progress(_ fraction: Double? = nil) throws {
        try send(.init(id: id, fraction: fraction))
    }
}
