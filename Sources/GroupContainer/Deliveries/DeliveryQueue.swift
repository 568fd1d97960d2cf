public import ShareModel

/// The deliveries that are still open. Calls block their thread.
///
/// A claim belongs to an owner, which is one process. It has a fencing number, which grows with every claim of its
/// delivery. The queue drops a call with an older number. So a process that was stopped changes nothing if it continues
/// after another one took over its work.
///
/// An engine gives out a delivery that another owner claimed only after that owner is dead. In a local container the caller
/// holds the delivery lock, which only one process can have, so every other owner is dead. An engine without such locks lets
/// claims expire. It *must* then extend the claims of living owners, and *may* give out a delivery twice, under two fencing
/// numbers.
///
/// Times are in milliseconds since 1970, from the caller's clock.
public protocol DeliveryQueue: Sendable {
    /// The sinks with an open delivery of one of these packages that is due by `now`.
    func openSinks(of packages: [String], now: Int64) throws -> Set<String>

    /// The number of the newest delivery; 0 if there is none. Numbers grow with each commit.
    func newest() throws -> Int64

    /// Claims at most `limit` open deliveries of a sink that are due by `now`, in the order of their due times and numbers.
    ///
    /// The caller completes or puts back its claims before it claims more of the sink. Otherwise it gets the same deliveries
    /// again, under new fencing numbers.
    ///
    /// *Must:* the attempts and the claims are recorded durably before this returns.
    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int) throws -> [ClaimedDelivery]

    /// Records another attempt at claimed deliveries, after the sink died during the last one.
    ///
    /// - Returns: the deliveries whose claims still hold.
    ///
    /// *Must:* the attempts are recorded durably before this returns.
    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery]

    /// Gives claims back, as if the attempts had not happened. A delivery whose claim is over stays as it is.
    func putBack(_ deliveries: [ClaimedDelivery]) throws

    /// Records how deliveries ended, with their products, in one durable transaction.
    ///
    /// A delivery whose package was forgotten meanwhile has no ending any more. *Must:* every product's object is
    /// durable before.
    ///
    /// - Returns: what became of each ending, in the same order.
    @discardableResult
    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion]

    /// Makes every open delivery due now.
    func hurry() throws

    /// The open deliveries of each sink, in the order of the sinks' names.
    func open() throws -> [OpenDeliveries]

    /// Opens deliveries again that failed, were quarantined or declined, or made a product that is lost; named by the
    /// beginning of their identifier or of their package's. By the identifier of a sink all of its that did not end well,
    /// without those that it declined.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where one names none or several, or nothing to try again.
    func reopen(_ names: [String]) throws
}

/// A process that claims deliveries, by a random identifier: a process identifier may be another process's tomorrow.
public struct ClaimOwner: Sendable, Hashable {
    /// 16 hexadecimal digits, or whatever an engine reads back.
    public let id: String

    /// A new owner.
    public init() { self.init(id: ChangeCursor.newEpoch()) }

    /// The owner with an identifier.
    public init(id: String) { self.id = id }
}

/// What became of an ending.
public enum DeliveryCompletion: Sendable, Hashable {
    /// It is recorded.
    case recorded
    /// It was dropped: the claim is over, since another process claimed the delivery, or since it ended before.
    case stale
    /// It was dropped: there is no such delivery any more.
    case gone
}

/// A delivery that this process now has to make.
public struct ClaimedDelivery: Sendable {
    /// Its number; a later commit's is larger.
    public var seq: Int64
    /// The delivery's identifier, under which its ending is recorded.
    public var id: String
    /// The sink's and the group's: the same content to the same sink has the same one.
    public var key: String
    /// The identifier of the sink that it goes to.
    public var sink: String
    /// The place of the provider that leads the group.
    public var lead: Int
    /// From 1, this one included.
    public var attempt: Int
    /// How often a sink died of it alone.
    public var deaths: Int
    /// How often the sink said that it may work later.
    public var failures: Int
    /// When it became due; 0 where it was never tried, or is to be tried at once.
    public var due: Int64
    /// Whether an earlier attempt has no known outcome: the host or the sink died after it was recorded.
    public var isUncertain: Bool
    /// How often the sink had failed as a whole when this was claimed; 0 for a sink in order.
    public var troubles: Int
    /// What was put in with ``DeliveryProposal/payload``, unchanged.
    public var payload: String
    /// The number of its package.
    public var package: Int64
    /// The claim's fencing number: larger than that of every earlier claim of this delivery.
    public var fence: Int64
    /// The package's receipt as it was committed, without deliveries, as JSON.
    public var receiptText: String

    /// A delivery that an engine gives out.
    public init(
        seq: Int64, id: String, key: String, sink: String, lead: Int, attempt: Int, deaths: Int = 0, failures: Int = 0,
        due: Int64 = 0, isUncertain: Bool = false, troubles: Int = 0, payload: String, package: Int64, fence: Int64,
        receiptText: String
    ) {
        self.seq = seq
        self.id = id
        self.key = key
        self.sink = sink
        self.lead = lead
        self.attempt = attempt
        self.deaths = deaths
        self.failures = failures
        self.due = due
        self.isUncertain = isUncertain
        self.troubles = troubles
        self.payload = payload
        self.package = package
        self.fence = fence
        self.receiptText = receiptText
    }

    /// The package's receipt as it was committed, without deliveries.
    ///
    /// - Throws: a `DecodingError` where the row is broken, which is this delivery's trouble alone.
    public func receipt() throws -> Receipt { try receipt(as: Receipt.self) }

    /// The same as a type that takes less of it.
    ///
    /// - Throws: a `DecodingError` as ``receipt()`` does.
    public func receipt<Part: Decodable>(as type: Part.Type) throws -> Part {
        try CatalogJSON.decode(type, receiptText)
    }
}

/// How a delivery ended, this time.
public struct DeliveryEnding: Sendable {
    /// Its products' objects are committed to the store by the caller.
    public var record: DeliveryRecord
    /// Its number, as it was claimed with.
    public var seq: Int64
    /// The fencing number of its claim.
    public var fence: Int64
    /// How often a sink died of it alone, over all runs; replaces what was recorded.
    public var deaths: Int
    /// How often the sink said that it may work later, over all runs; replaces what was recorded.
    public var failures: Int
    /// When it may be tried again, where it stays open.
    public var due: Int64
    /// The text that the sink found, by which the package is found; empty where it found none.
    public var text = ""

    /// The ending of a claimed delivery; with the outcome `pending` it stays open until a later time.
    public init(
        record: DeliveryRecord, seq: Int64, fence: Int64, deaths: Int, failures: Int = 0, due: Int64 = 0
    ) {
        self.record = record
        self.seq = seq
        self.fence = fence
        self.deaths = deaths
        self.failures = failures
        self.due = due
    }
}
