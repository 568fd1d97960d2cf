public import ShareModel

/// The deliveries that are still open. Calls block their thread.
///
/// A claim belongs to an owner, which is one process. It has a fencing number, which grows with every claim of its
/// delivery. The queue drops a call with an older number. So a process that was stopped changes nothing if it continues
/// after another one took over its work.
///
/// An engine gives out a delivery that another owner claimed only after that owner is dead. In a local container the
/// caller holds the delivery lock, which only one process can have, so every other owner is dead. An engine without
/// such locks lets claims expire. It *must* then extend the claims of living owners, and *may* give out a delivery
/// twice, under two fencing numbers.
///
/// Times are in milliseconds since 1970, from the caller's clock.
public protocol DeliveryQueue: Sendable {
    /// The identifiers of the sinks that have a due delivery of one of these packages, or one that a duplicate among
    /// their deliveries follows. A delivery is due if it is open and its time is at most `now`.
    func openSinks(of packages: [String], now: Int64) throws -> Set<String>

    /// The number of the newest delivery; 0 if there is none. A later commit gives larger numbers.
    func newest() throws -> Int64

    /// Claims at most `limit` open deliveries of a sink that are due by `now`, in the order of their due times and
    /// numbers.
    ///
    /// With a login, it claims only deliveries that go out under this login, or that have none yet. These have it from now on. Without a
    /// login, it claims only deliveries that have none.
    ///
    /// The caller completes or puts back its claims before it claims more of the sink. Otherwise it gets the same
    /// deliveries again, under new fencing numbers.
    ///
    /// *Must:* the attempts and the claims are recorded durably before this returns.
    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int, as login: AccountUser?) throws
        -> [ClaimedDelivery]

    /// Records another attempt at claimed deliveries, after the sink died during the last one.
    ///
    /// - Returns: the deliveries whose claims still hold.
    ///
    /// *Must:* the attempts are recorded durably before this returns.
    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery]

    /// Ends claims as if the attempts had not happened, but records ``ClaimedDelivery/failures``. A delivery whose claim is over stays as
    /// it is.
    func putBack(_ deliveries: [ClaimedDelivery]) throws

    /// Records how deliveries ended, each with its products in one durable transaction.
    ///
    /// No other writer *must* wait long for this, however much the sinks found. So an engine may use several
    /// transactions. If a later one fails, it throws ``PartialCompletion``.
    ///
    /// The ending of a delivery is dropped if its package was forgotten meanwhile. *Must:* every product's object is
    /// durable before this call.
    ///
    /// - Returns: the result of each ending, in the same order.
    @discardableResult
    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion]

    /// The record of a delivery as it stands; `nil` if its package was forgotten.
    ///
    /// - Parameter number: the delivery's number, as in ``ClaimedDelivery/seq``.
    func record(_ number: Int64) throws -> DeliveryRecord?

    /// Makes every open delivery due at `now` whose time is `time` or later.
    func makeDue(from time: Int64, now: Int64) throws

    /// Makes open deliveries due at `now` that no process has claimed. An engine without such calls makes them due at their times.
    ///
    /// - Parameter numbers: as in ``ClaimedDelivery/seq``.
    func makeDue(_ numbers: [Int64], now: Int64) throws

    /// The open deliveries of each sink and login, in the order of the sinks' names.
    func open() throws -> [OpenDeliveries]

    /// Gives the open deliveries of these sinks to a login, if they are another one's.
    ///
    /// - Parameter includesClaimed: whether also those that are claimed. *Must:* no process makes any of them now.
    /// - Returns: the number of deliveries.
    @discardableResult
    func adopt(_ sinks: [String], as login: AccountUser, includesClaimed: Bool) throws -> Int

    /// Opens deliveries again, so that they are tried again.
    ///
    /// A name is the identifier of a sink, or the beginning of a delivery's or a package's identifier. A sink stands
    /// for its deliveries that failed, were quarantined, or were declined and not dismissed: it may have a program by now
    /// that it lacked. The beginning of an identifier stands for such deliveries too, and for those that were dismissed or
    /// made a product that is lost. If it stands for a single delivery, that one is opened whatever became of it.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if a name matches nothing or several, or has no delivery
    ///   that is open or can be opened.
    func reopen(_ names: [String]) throws

    /// Ends deliveries as declined that are open, failed or quarantined, so that they are no longer tried or listed.
    /// ``reopen(_:)`` opens them again. Each keeps the reason of its last failure, behind that of the dismissal.
    ///
    /// A name is one of those of ``reopen(_:)``. Several names may stand for one delivery, which counts once. *Must:* all
    /// names are looked up before any delivery changes. A claim of such a delivery is over. An error may leave a part of
    /// the deliveries declined; another call continues.
    ///
    /// - Returns: the number of deliveries.
    /// - Throws: ``ContainerError`` with the code `notFound` if a name matches nothing or several, or has no such
    ///   delivery.
    @discardableResult
    func dismiss(_ names: [String]) throws -> Int
}

/// A process that claims deliveries. Its identifier is random, because the system gives a dead process's number to
/// another process.
public struct ClaimOwner: Sendable, Hashable {
    /// 16 hexadecimal digits, or the text that an engine has stored.
    public let id: String

    /// A new owner with a random identifier.
    public init() { self.init(id: ChangeCursor.newEpoch()) }

    /// The owner that an engine has stored.
    public init(id: String) { self.id = id }
}

/// The result of recording an ending.
public enum DeliveryCompletion: Sendable, Hashable {
    /// The ending is recorded.
    case recorded
    /// The ending was dropped: another process has claimed the delivery meanwhile, or the delivery had ended before.
    case stale
    /// The ending was dropped: the delivery's package was forgotten.
    case gone
}

/// The error that ended the recording of endings after some of them were durable.
public struct PartialCompletion: Error {
    /// The results of the first endings, in order.
    public var completions: [DeliveryCompletion]
    /// The error that ended the rest.
    public var cause: any Error

    /// An error that an engine throws.
    public init(completions: [DeliveryCompletion], cause: any Error) {
        self.completions = completions
        self.cause = cause
    }
}

/// A delivery that this process has claimed, and now has to make.
public struct ClaimedDelivery: Sendable {
    /// The delivery's number. A later commit gives a larger one.
    public var seq: Int64
    /// The delivery's identifier, under which its ending is recorded.
    public var id: String
    /// The key, made of the sink's identifier and the group's key. The same content for the same sink has the same key.
    public var key: String
    /// The identifier of the sink.
    public var sink: String
    /// The index of the provider that leads the group, as in the receipt.
    public var lead: Int
    /// The number of this attempt; the first one is 1.
    public var attempt: Int
    /// The number of times that the sink died while this delivery was the only one in flight.
    public var deaths: Int
    /// The number of transient failures, after which the delivery stayed open.
    public var failures: Int
    /// The time when it became due; 0 if it was never tried, or is to be tried at once.
    public var due: Int64
    /// Whether an earlier attempt has no known outcome: the host or the sink died after it was recorded.
    public var isUncertain: Bool
    /// The sink's pauses in a row at the time of the claim, from ``HeldSink/failures``; 0 if the sink works.
    public var troubles: Int
    /// The text of ``DeliveryProposal/payload``, unchanged.
    public var payload: String
    /// The login under which it goes out, and under no other; `nil` if it needs none.
    public var login: AccountUser?
    /// The number of its package.
    public var package: Int64
    /// The claim's fencing number, which is larger than that of every earlier claim of this delivery.
    public var fence: Int64
    /// The package's receipt as it was committed, without deliveries, as JSON.
    public var receiptText: String

    /// A delivery that an engine gives out.
    public init(
        seq: Int64, id: String, key: String, sink: String, lead: Int, attempt: Int, deaths: Int = 0, failures: Int = 0,
        due: Int64 = 0, isUncertain: Bool = false, troubles: Int = 0, payload: String, login: AccountUser? = nil,
        package: Int64,
        fence: Int64, receiptText: String
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
        self.login = login
        self.package = package
        self.fence = fence
        self.receiptText = receiptText
    }

    /// The package's receipt as it was committed, without deliveries.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the row is damaged. Only this delivery fails then, not the
    ///   queue.
    public func receipt() throws -> Receipt { try CatalogJSON.receipt(receiptText) }

    /// A part of ``receipt()``, for a caller that needs less. A newer program may have written words into the rest that this one
    /// does not know.
    ///
    /// - Throws: as ``receipt()`` does.
    package func receipt<Part>(_ read: (JSONMembers) throws(JSONMisfit) -> Part) throws -> Part {
        try CatalogJSON.receipt(receiptText, read)
    }
}

/// The result of one attempt at a delivery.
public struct DeliveryEnding: Sendable {
    /// The delivery with its outcome. The caller has committed the objects of its products to the store.
    public var record: DeliveryRecord
    /// The delivery's number, as in the claim.
    public var seq: Int64
    /// The fencing number of the claim.
    public var fence: Int64
    /// The number of times that the sink died of this delivery alone, over all runs; replaces the recorded number.
    public var deaths: Int
    /// The number of transient failures, over all runs; replaces the recorded number.
    public var failures: Int
    /// The time of the next attempt, if the delivery stays open.
    public var due: Int64
    /// Whether the sink answered about the content. The metadata and products of an answer replace those of an earlier
    /// attempt. Any other ending leaves the delivery those that it has.
    public var isAnswer = true
    /// The version of the sink that ended the delivery; `nil` leaves the version that is recorded. A delivery that stays
    /// open has not been ended.
    public var version: String?

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
