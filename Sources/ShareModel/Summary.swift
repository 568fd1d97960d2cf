/// The last word of a run: every input counted once, and the deliveries of what came in.
///
/// The counts add up: `packages` is the sum of the five outcomes, and all of it can be recomputed from the receipts.
public struct Summary: Sendable, Codable, Equatable {
    public var packages = 0
    public var accepted = 0
    public var partial = 0
    public var duplicate = 0
    public var failed = 0
    public var skipped = 0
    /// The bytes of all providers that are in, new or not.
    public var bytes: Int64 = 0
    /// The bytes among them that were new to the container.
    public var storedBytes: Int64 = 0
    public var deliveries = Deliveries()

    public struct Deliveries: Sendable, Codable, Equatable {
        public var delivered = 0
        public var declined = 0
        public var duplicate = 0
        public var failed = 0
        public var quarantined = 0
        public var pending = 0

        public init() {}

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

    public init() {}

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
