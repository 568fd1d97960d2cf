public import ShareModel

/// Writes decisions into receipts. No other code composes the sentences about them.
public enum ReceiptComposer {
    /// The receipt of a new package, without its deliveries.
    public static func receipt(of new: NewPackage, _ proposal: PackageProposal) -> Receipt {
        var receipt = proposal.receipt
        // A history knows what the package replaced.
        receipt.supersedes = receipt.supersedes ?? new.replaces.last?.id
        receipt.warnings += new.warnings.map(words)
        for (place, isNew) in zip(receipt.providers.indices, new.isNew) {
            guard receipt.providers[place].sha256 != nil, let size = receipt.providers[place].size else { continue }
            receipt.providers[place].outcome = isNew ? .stored : .duplicate
            if isNew { receipt.storedBytes += size }
        }
        return receipt
    }

    /// The receipt of a duplicate, or of a partial package that adds nothing to an earlier one.
    ///
    /// - Parameters:
    ///   - replaced: the packages that the earlier package replaces, oldest first. The source had the content of those
    ///     that did not fail meanwhile.
    ///   - isNewArrival: whether the arrival was not recorded before.
    ///   - deliveries: those of the earlier package, with their present outcomes.
    public static func receipt(
        repeating earlier: KnownPackage, _ proposal: PackageProposal, replacing replaced: [KnownPackage] = [],
        isNewArrival: Bool, deliveries: [PlacedDelivery]
    ) -> Receipt {
        var receipt = failedAgain(proposal)
        receipt.isKnownArrival = !isNewArrival
        let later = replaced.last { $0.outcome != .failed }
        receipt.supersedes = later?.id
        // A partial package stays partial, because its receipt still names the providers that failed.
        if receipt.outcome == .accepted {
            receipt.outcome = .duplicate
            receipt.reason =
                later == nil
                ? "the same content came in before"
                : "the same content came in before, and is current now in place of a later package"
        } else if earlier.id != receipt.id {
            receipt.reason = "the current package has all of this, and stays"
        }
        receipt.duplicateOf = earlier.id
        for delivery in deliveries {
            receipt.attach(
                repeated(delivery.record, isOfThisRun: earlier.run == proposal.run), lead: delivery.lead)
        }
        return receipt
    }

    /// The receipt of an input that failed again. Nothing of it is stored.
    public static func failedAgain(_ proposal: PackageProposal) -> Receipt {
        var receipt = proposal.receipt
        receipt.storedBytes = 0
        for place in receipt.providers.indices where receipt.providers[place].outcome == .stored {
            receipt.providers[place].outcome = .duplicate
        }
        return receipt
    }

    /// The receipt of a file or a group of files with an unchanged stamp, which is not read again.
    public static func receipt(of source: PackageSource, unchangedSince known: KnownSource, run: String) -> Receipt {
        var receipt = Receipt(
            id: known.package.id, source: Receipt.Source(kind: source.kind, path: source.path), outcome: .duplicate)
        receipt.reason = Receipt.unchangedReason
        receipt.isKnownArrival = true
        receipt.duplicateOf = receipt.id
        receipt.providers = known.files.enumerated().map { place, file in
            // The content may have come in under another name first.
            let name = place == 0 ? SafeName.make(source.path.lastComponent?.string) : file.name
            var provider = Receipt.Provider(index: place, name: name, reason: "not read again", tried: [])
            provider.outcome = .duplicate
            provider.type = file.type
            provider.sha256 = file.content.digest
            provider.size = file.content.size
            provider.basis = ["as when it came in: the same inode, size and times"]
            provider.group = 0
            return provider
        }
        receipt.bytes = known.files.reduce(0) { $0 + $1.content.size }
        let rule = known.files.count == 1 ? "single" : Receipt.Group.folderRule
        receipt.groups = [Receipt.Group(rule: rule, providers: Array(known.files.indices))]
        for delivery in known.deliveries {
            receipt.attach(repeated(delivery.record, isOfThisRun: known.package.run == run), lead: delivery.lead)
        }
        return receipt
    }

    /// The receipt that a run reports of a package with a history. Its failure is not one of the run.
    public static func reported(_ receipt: consuming Receipt, of proposal: PackageProposal) -> Receipt {
        guard proposal.history != nil, receipt.outcome == .failed else { return receipt }
        receipt.outcome = .skipped
        let why = proposal.receipt.reason.map { ": \($0)" } ?? ""
        receipt.reason = "it failed before the bag was made, and the bag has only its receipt\(why)"
        return receipt
    }

    /// The receipt that a run reports of a package that has no room for some tags.
    public static func reported(_ receipt: consuming Receipt, withoutRoomFor tags: [PackageTag]) -> Receipt {
        guard !tags.isEmpty else { return receipt }
        let words = tags.map(\.word).joined(separator: ", ")
        receipt.warnings.append(
            "it has \(PackageTag.packageLimit) tags, which is the limit, and did not get: \(words); remove others first"
        )
        return receipt
    }

    /// The delivery of a new package as a run reports it. One with a history was made before the run.
    public static func reported(_ decision: DeliveryDecision) -> DeliveryRecord {
        let record = record(of: decision)
        return decision.record == nil ? record : repeated(record, isOfThisRun: false)
    }

    /// The record of a new delivery: open, a duplicate, or as its history has it.
    public static func record(of decision: DeliveryDecision) -> DeliveryRecord {
        if var record = decision.record, decision.duplicateOf == nil {
            if record.outcome != .pending { record.isUnconfirmed = true }
            return record
        }
        var record = DeliveryRecord(
            id: decision.proposal.id, sink: decision.proposal.sink,
            outcome: decision.duplicateOf == nil ? .pending : .duplicate)
        record.login = decision.proposal.login
        return record
    }

    /// The record of a duplicate as it stands now, which depends on the delivery that it follows.
    ///
    /// It is a duplicate only if the sink has the content. If the other delivery is open, this one is open too, and if
    /// the other one failed, so did this one.
    ///
    /// - Parameter leader: the delivery that sends the same content to the same sink, as it stands.
    public static func record(_ duplicate: DeliveryRecord, following leader: DeliveryRecord) -> DeliveryRecord {
        var record = duplicate
        record.isUnconfirmed = leader.isUnconfirmed
        record.login = leader.login
        record.why = "the same content goes there as delivery \(leader.id.prefix(12))"
        switch leader.outcome {
        case .delivered, .duplicate: record.outcome = .duplicate
        case .pending, .failed, .quarantined, .declined:
            record.outcome = leader.outcome
            record.due = leader.due
            if let why = leader.why { record.why?.append(": \(why)") }
        }
        return record
    }

    /// A delivery that had ended only as a bag says, once it is open.
    public static func opened(_ delivery: DeliveryRecord) -> DeliveryRecord {
        var record = delivery
        (record.outcome, record.why, record.isUnconfirmed) = (.pending, nil, nil)
        return record
    }

    /// A delivery in the receipt of a duplicate package.
    ///
    /// Only a delivery that was made, or that this run makes, becomes a duplicate. The others keep their outcome and its
    /// reason: a failed one, and an open one of an earlier run, still need a person or a retry.
    private static func repeated(_ record: DeliveryRecord, isOfThisRun: Bool) -> DeliveryRecord {
        var record = record
        switch record.outcome {
        case .failed, .quarantined, .declined: break
        case .pending where !isOfThisRun: break
        case .pending, .delivered, .duplicate:
            record.outcome = .duplicate
            record.due = nil
            record.why =
                record.isUnconfirmed == true ? "made before, so says the bag" : "made for the same package before"
        }
        return record
    }

    private static func words(_ warning: PackageWarning) -> String {
        switch warning {
        case .changedInRun:
            "the source gave other bytes earlier in this run and may be unstable; look at both packages"
        case .changedOnRetry:
            "the source gave other bytes when it was tried again and may be unstable; look at both packages"
        case .reusedSenderID: "the sender used this id before for other content; both packages are kept"
        }
    }
}

/// A delivery and the place of the provider that leads its group.
public struct PlacedDelivery: Sendable, Equatable {
    /// The delivery as it stands.
    public var record: DeliveryRecord
    /// The place of the provider.
    public var lead: Int

    /// A delivery at a place.
    public init(_ record: DeliveryRecord, lead: Int) {
        self.record = record
        self.lead = lead
    }
}

/// A file or a group of files whose stamp has not changed since a package was read from it.
public struct KnownSource: Sendable {
    /// The package that came from the files.
    public var package: KnownPackage
    /// The files, in the order of the package's providers: one, or those of a group.
    public var files: [File]
    /// The package's deliveries, with their present outcomes.
    public var deliveries: [PlacedDelivery]

    /// A file as it came in.
    public struct File: Sendable, Equatable {
        /// The name in its safe form.
        public var name: String
        /// The type that was identified.
        public var type: MediaType
        /// The content.
        public var content: ObjectRecord

        /// A file with all its values.
        public init(name: String, type: MediaType, content: ObjectRecord) {
            self.name = name
            self.type = type
            self.content = content
        }
    }

    /// A source that the catalog recognized.
    public init(package: KnownPackage, files: [File], deliveries: [PlacedDelivery] = []) {
        self.package = package
        self.files = files
        self.deliveries = deliveries
    }
}
