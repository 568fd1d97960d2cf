public import ShareModel

/// The deliveries that are still open. Calls block their thread; the caller holds the container's delivery lock.
///
/// Times are in milliseconds since 1970, from the caller's clock.
public protocol DeliveryQueue: Sendable {
    /// Whether a delivery of one of these packages is open and may be tried by now.
    func isOpen(anyOf packages: [String], now: Int64) throws -> Bool

    /// The number of the newest delivery; 0 where there is none. Numbers grow with each commit.
    func newest() throws -> Int64

    /// Hands out at most `limit` open deliveries of a sink that may be tried by now: those never tried first, by number.
    ///
    /// A sink that is held is handed nothing before its time, and then a single delivery, as a trial. What is claimed is
    /// completed or put back before more is claimed: it would come again.
    ///
    /// *Must:* the attempts are recorded durably before this returns.
    func claim(sink: String, now: Int64, limit: Int) throws -> [ClaimedDelivery]

    /// Records that claimed deliveries are handed over once more, after the sink died of them or beside them.
    ///
    /// *Must:* the attempts are recorded durably before this returns.
    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery]

    /// Takes claims back: these deliveries were not handed over, and that attempt did not happen.
    func putBack(_ deliveries: [ClaimedDelivery]) throws

    /// Records how deliveries ended, with their products, in one durable transaction.
    ///
    /// A delivery whose package was forgotten meanwhile has no ending any more. *Must:* every product's object is
    /// durable before.
    func complete(_ endings: [DeliveryEnding]) throws

    /// Lets a sink rest until a time: its open deliveries wait, and say why. With no failures there is only the reason, until
    /// the next claim.
    func hold(_ sink: HeldSink) throws

    /// Ends a sink's rest.
    func release(sink: String) throws

    /// Makes every open delivery due now, and ends every sink's rest.
    func hurry() throws

    /// What is still open, sink by sink, in the order of their names.
    func open() throws -> [OpenDeliveries]

    /// Opens deliveries again that failed, were quarantined or declined, or made a product that is lost; named by the
    /// beginning of their identifier or of their package's. By the identifier of a sink all of its that did not end well,
    /// without those that it declined.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where one names none or several, or nothing to try again.
    func reopen(_ names: [String]) throws
}

/// A sink that keeps failing as a whole, and rests.
public struct HeldSink: Sendable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// How often it failed without a success in between.
    public var failures: Int
    /// Until when it rests.
    public var due: Int64
    /// What is wrong, for those who ask why their deliveries wait.
    public var why: String

    /// A sink at rest.
    public init(sink: String, failures: Int, due: Int64, why: String) {
        self.sink = sink
        self.failures = failures
        self.due = due
        self.why = why
    }
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
    let receiptText: String

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
    /// How often a sink died of it alone, over all runs; replaces what was recorded.
    public var deaths: Int
    /// How often the sink said that it may work later, over all runs; replaces what was recorded.
    public var failures: Int
    /// When it may be tried again, where it stays open.
    public var due: Int64
    /// The text that the sink found, by which the package is found; empty where it found none.
    public var text = ""

    /// The ending of a claimed delivery; with the outcome `pending` it stays open until a later time.
    public init(record: DeliveryRecord, seq: Int64, deaths: Int, failures: Int = 0, due: Int64 = 0) {
        self.record = record
        self.seq = seq
        self.deaths = deaths
        self.failures = failures
        self.due = due
    }
}
