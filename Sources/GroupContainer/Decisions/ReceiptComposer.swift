package import ShareModel

/// Puts decisions into receipts: the one place that says in words what the container made of a package.
package enum ReceiptComposer {
    /// The receipt of a package that goes in, without its deliveries.
    package static func receipt(of new: NewPackage, _ proposal: PackageProposal) -> Receipt {
        var receipt = proposal.receipt
        receipt.supersedes = new.replaces.last?.id ?? receipt.supersedes
        receipt.warnings += new.warnings.map(words)
        for (place, isNew) in zip(receipt.providers.indices, new.isNew) {
            guard receipt.providers[place].sha256 != nil, let size = receipt.providers[place].size else { continue }
            receipt.providers[place].outcome = isNew ? .stored : .duplicate
            if isNew { receipt.storedBytes += size }
        }
        return receipt
    }

    /// The receipt of a package that is there already, or brings nothing that an earlier one has not.
    ///
    /// - Parameter deliveries: those of the earlier package, as they stand.
    package static func receipt(
        repeating earlier: KnownPackage, _ proposal: PackageProposal, deliveries: [PlacedDelivery]
    ) -> Receipt {
        var receipt = failedAgain(proposal)
        if receipt.outcome == .accepted {
            receipt.outcome = .duplicate
            receipt.reason = "the same content came in before"
        }
        receipt.duplicateOf = earlier.id
        for delivery in deliveries {
            receipt.attach(
                repeated(delivery.record, isOfThisRun: earlier.run == proposal.run), lead: delivery.lead)
        }
        return receipt
    }

    /// The receipt of an input that failed, as it did before: nothing of it is stored.
    package static func failedAgain(_ proposal: PackageProposal) -> Receipt {
        var receipt = proposal.receipt
        receipt.storedBytes = 0
        for place in receipt.providers.indices where receipt.providers[place].outcome == .stored {
            receipt.providers[place].outcome = .duplicate
        }
        return receipt
    }

    /// The receipt of a file that stands as it stood when it came in, and is not read again.
    package static func receipt(of source: PackageSource, unchangedSince known: KnownSource, run: String) -> Receipt {
        var receipt = Receipt(
            id: known.package.id, source: Receipt.Source(kind: source.kind, path: source.path), outcome: .duplicate)
        receipt.reason = Receipt.unchangedReason
        receipt.duplicateOf = receipt.id
        var provider = Receipt.Provider(
            index: 0, name: SafeName.make(source.path.lastComponent?.string), reason: "not read again", tried: [])
        provider.outcome = .duplicate
        provider.type = known.type
        provider.sha256 = known.content.digest
        provider.size = known.content.size
        provider.basis = ["as when it came in: the same inode, size and times"]
        provider.group = 0
        receipt.bytes = known.content.size
        receipt.providers = [provider]
        receipt.groups = [Receipt.Group(rule: "single", providers: [0])]
        for delivery in known.deliveries {
            receipt.attach(repeated(delivery.record, isOfThisRun: known.package.run == run), lead: delivery.lead)
        }
        return receipt
    }

    /// A delivery as it goes in.
    package static func record(of decision: DeliveryDecision) -> DeliveryRecord {
        DeliveryRecord(
            id: decision.proposal.id, sink: decision.proposal.sink,
            outcome: decision.duplicateOf == nil ? .pending : .duplicate,
            why: decision.duplicateOf.map(why(duplicateOf:)))
    }

    /// The reason of a duplicate: the delivery that sends the same.
    package static func why(duplicateOf id: String) -> String {
        "the same content goes there as delivery \(id.prefix(12))"
    }

    /// A delivery in the receipt of the same package again. An open one of an earlier run and one that went wrong are
    /// shown as they are.
    private static func repeated(_ record: DeliveryRecord, isOfThisRun: Bool) -> DeliveryRecord {
        var record = record
        switch record.outcome {
        case .failed, .quarantined: break
        case .pending where !isOfThisRun: break
        case .pending, .delivered, .declined, .duplicate:
            record.outcome = .duplicate
            record.due = nil
            record.why = "made for the same package before"
        }
        return record
    }

    private static func words(_ warning: PackageWarning) -> String {
        switch warning {
        case .changedInRun:
            "the source gave other bytes earlier in this run; it may be unstable, look at both packages"
        case .changedOnRetry:
            "the source gave other bytes when it was tried again; it may be unstable, look at both packages"
        case .reusedSenderID: "the sender used this id before, for other content; both are kept"
        }
    }
}

/// A delivery and the place of the provider that leads its group.
package struct PlacedDelivery: Sendable, Equatable {
    package var record: DeliveryRecord
    package var lead: Int

    package init(_ record: DeliveryRecord, lead: Int) {
        self.record = record
        self.lead = lead
    }
}

/// A file that stands as it stood when its package came from it.
package struct KnownSource: Sendable {
    /// The package that the file is known by.
    package var package: KnownPackage
    /// What the file is.
    package var type: MediaType
    /// The file's content.
    package var content: ObjectRecord
    /// The package's deliveries, as they stand.
    package var deliveries: [PlacedDelivery]

    package init(package: KnownPackage, type: MediaType, content: ObjectRecord, deliveries: [PlacedDelivery] = []) {
        self.package = package
        self.type = type
        self.content = content
        self.deliveries = deliveries
    }
}
