/// The last word of a run: every input counted once, and the deliveries of what came in.
///
/// The counts add up: `packages` is the sum of the five outcomes, and all of it can be recomputed from the receipts.
public struct Summary: Sendable, Codable, Equatable {
    /// All inputs, the skipped ones among them.
    public var packages = 0
    /// Packages that are in, whole.
    public var accepted = 0
    /// Packages of which some providers are in and others failed.
    public var partial = 0
    /// Packages that came in before.
    public var duplicate = 0
    /// Packages of which nothing could be had.
    public var failed = 0
    /// Inputs that were left out on purpose.
    public var skipped = 0
    /// The bytes of all providers that are in, new or not.
    public var bytes: Int64 = 0
    /// The bytes among them that were new to the container.
    public var storedBytes: Int64 = 0
    /// The deliveries in the receipts of the packages counted here.
    public var deliveries = Deliveries()

    /// Deliveries, each counted once under its outcome.
    public struct Deliveries: Sendable, Codable, Equatable {
        /// The sink took it.
        public var delivered = 0
        /// The sink does not want it.
        public var declined = 0
        /// The same content went, or goes, to the same sink already.
        public var duplicate = 0
        /// The sink gave it up, or what the sink made was refused.
        public var failed = 0
        /// The sink crashed, hung or broke the protocol on it twice.
        public var quarantined = 0
        /// Still to be made.
        public var pending = 0

        /// Nothing counted yet.
        public init() {}

        /// Counts one delivery under its outcome.
        public mutating func add(_ outcome: DeliveryOutcome) {
            switch outcome {
            case .delivered: delivered += 1
            case .declined: declined += 1
            case .duplicate: duplicate += 1
            case .failed: failed += 1
            case .quarantined: quarantined += 1
            case .pending: pending += 1
            }
        }
    }

    enum CodingKeys: String, CodingKey {
        case packages, accepted, partial, duplicate, failed, skipped, bytes, deliveries
        case storedBytes = "stored_bytes"
    }

    /// Nothing counted yet.
    public init() {}

    /// Counts one package with its bytes and its deliveries; each receipt of a run is to be added once.
    public mutating func add(_ receipt: Receipt) {
        packages += 1
        switch receipt.outcome {
        case .accepted: accepted += 1
        case .partial: partial += 1
        case .duplicate: duplicate += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        }
        bytes += receipt.bytes
        storedBytes += receipt.storedBytes
        for delivery in receipt.providers.lazy.flatMap(\.deliveries) { deliveries.add(delivery.outcome) }
    }

    /// Whether everything is in and settled; `pending` deliveries are open, which is right only where none were asked.
    public var isSettled: Bool { isComplete && deliveries.pending == 0 }

    /// Whether nothing failed, wholly or in part.
    public var isComplete: Bool {
        partial == 0 && failed == 0 && deliveries.failed == 0 && deliveries.quarantined == 0
    }
}
