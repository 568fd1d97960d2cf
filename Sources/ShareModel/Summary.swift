/// The counts of a run: each input once, and the deliveries of the imported packages.
///
/// `packages` is the sum of the five outcomes. All counts can be computed again from the receipts.
public struct Summary: Sendable, Codable, Equatable {
    /// All inputs, including the skipped ones.
    public var packages = 0
    /// Packages that were imported completely.
    public var accepted = 0
    /// Packages with some imported and some failed providers.
    public var partial = 0
    /// Packages that were imported before.
    public var duplicate = 0
    /// Packages that could not be read at all.
    public var failed = 0
    /// Inputs that were excluded on purpose.
    public var skipped = 0
    /// Packages that the run stored with a warning, such as one about content that was cut off or that a sink found
    /// damaged. A duplicate is not counted: the package that has its content was stored before.
    public var warned = 0
    /// The bytes of all imported providers, new or not.
    public var bytes: Int64 = 0
    /// The number of these bytes that were new to the container.
    public var storedBytes: Int64 = 0
    /// The deliveries in the receipts of these packages.
    public var deliveries = Deliveries()

    /// Deliveries, each counted once by its outcome.
    public struct Deliveries: Sendable, Codable, Equatable {
        /// The sink accepted it.
        public var delivered = 0
        /// The sink does not want it.
        public var declined = 0
        /// The same content goes, or went, to the same sink in another delivery.
        public var duplicate = 0
        /// The sink failed it, or the host refused the sink's answer.
        public var failed = 0
        /// The sink crashed, hung or broke the protocol on it twice, or failed it too often.
        public var quarantined = 0
        /// It is still open.
        public var pending = 0

        /// All counts are 0.
        public init() {}

        /// Counts one delivery.
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
        case packages, accepted, partial, duplicate, failed, skipped, warned, bytes, deliveries
        case storedBytes = "stored_bytes"
    }

    /// All counts are 0.
    public init() {}

    /// Counts one package with its bytes and deliveries. The caller adds each receipt of a run once.
    public mutating func add(_ receipt: Receipt) {
        packages += 1
        switch receipt.outcome {
        case .accepted: accepted += 1
        case .partial: partial += 1
        case .duplicate: duplicate += 1
        case .failed: failed += 1
        case .skipped: skipped += 1
        }
        if receipt.outcome == .accepted || receipt.outcome == .partial, !receipt.addsNothing, receipt.hasWarnings {
            warned += 1
        }
        bytes += receipt.bytes
        storedBytes += receipt.storedBytes
        for delivery in receipt.providers.lazy.flatMap(\.deliveries) { deliveries.add(delivery.outcome) }
    }

    /// Whether nothing failed and no delivery is pending. A run that makes no deliveries leaves them pending on
    /// purpose; use ``isComplete`` there.
    public var isSettled: Bool { isComplete && deliveries.pending == 0 }

    /// Whether no package and no delivery failed, wholly or in part.
    public var isComplete: Bool {
        partial == 0 && failed == 0 && deliveries.failed == 0 && deliveries.quarantined == 0
    }
}

extension Receipt {
    /// Whether the package or its content has a warning, or a sink found the content damaged or did only a part
    /// of its work.
    public var hasWarnings: Bool {
        !warnings.isEmpty || providers.contains { !$0.warnings.isEmpty || $0.deliveries.contains(where: \.hasWarning) }
    }
}

extension DeliveryRecord {
    /// Whether the sink found the content damaged, or did a part of its work; see the page SinkProtocol, under `fail`.
    public var hasWarning: Bool {
        guard case .object(let found) = metadata else { return false }
        return found["damaged"] == .bool(true) || found["incomplete"] == .bool(true)
    }
}
