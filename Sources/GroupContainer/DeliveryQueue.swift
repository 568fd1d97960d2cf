public import ShareModel

/// The deliveries that are still open. Calls block their thread; the caller holds the container's delivery lock.
public protocol DeliveryQueue: Sendable {
    /// The sinks that have open deliveries which this run has not tried, in no order.
    func openSinks(run: String) throws -> [String]

    /// Whether one of these deliveries is still open.
    func isOpen(anyOf ids: [String]) throws -> Bool

    /// Hands out at most `limit` open deliveries of a sink, oldest first, none twice in one run.
    ///
    /// *Must:* the attempts are recorded durably before this returns.
    func claim(sink: String, run: String, limit: Int) throws -> [ClaimedDelivery]

    /// Records that a claimed delivery is handed over once more, after the sink died of it.
    ///
    /// *Must:* the attempt is recorded durably before this returns.
    func attemptAgain(_ delivery: ClaimedDelivery) throws -> ClaimedDelivery

    /// Records how deliveries ended, with their products, in one durable transaction.
    ///
    /// A delivery whose package was forgotten meanwhile has no ending any more. *Must:* every product's object is
    /// durable before.
    func complete(_ endings: [DeliveryEnding]) throws

    /// Opens deliveries again that failed, were quarantined or declined, or made a product that is lost; named by the
    /// beginning of their identifier or of their package's.
    ///
    /// - Throws: ``ContainerError`` with code `notFound` where one names none or several, or nothing to try again.
    func reopen(_ prefixes: [String]) throws
}

/// A delivery that this process now has to make.
public struct ClaimedDelivery: Sendable {
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
    /// What was put in with ``DeliveryProposal/payload``, unchanged.
    public var payload: String
    let receiptText: String

    /// The package's receipt as it was committed, without deliveries.
    ///
    /// - Throws: a `DecodingError` where the row is broken, which is this delivery's trouble alone.
    public func receipt() throws -> Receipt { try CatalogJSON.decode(Receipt.self, receiptText) }
}

/// How a delivery ended, this time.
public struct DeliveryEnding: Sendable {
    /// Its products' objects are committed to the store by the caller.
    public var record: DeliveryRecord
    /// How often a sink died of it alone, over all runs; replaces what was recorded.
    public var deaths: Int
    /// The text that the sink found, by which the package is found; empty where it found none.
    public var text = ""

    /// The ending of a claimed delivery; with the outcome `pending` it stays open for a later run.
    public init(record: DeliveryRecord, deaths: Int) {
        self.record = record
        self.deaths = deaths
    }
}
