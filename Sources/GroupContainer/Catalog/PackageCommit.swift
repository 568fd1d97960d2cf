internal import SQLite
internal import ShareModel

/// Writes the rows of packages as ``PackageDecision`` decides, inside the transaction of the batch.
struct PackageCommit {
    let database: Database
    /// The number of the machine that the packages come from.
    let machine: Int64

    init(_ database: Database, machine: Int64) {
        self.database = database
        self.machine = machine
    }

    /// Whether folders failed that could be read since; `nil` until it is known.
    private var hasUnreadableFolders: Bool?

    mutating func commit(_ proposal: PackageProposal) throws -> Receipt {
        var receipt = ReceiptComposer.reported(try decide(proposal), of: proposal)
        if receipt.outcome == .failed, !proposal.records.isEmpty {
            receipt.kept = proposal.records.map { Receipt.KeptInput(sha256: $0.digest, size: $0.size) }
        }
        try relate(proposal)
        if let path = proposal.sourcePath, let walk = proposal.walk, receipt.outcome != .failed {
            let isWanted = try hasUnreadableFolders ?? PackageRow.hasUnreadableFolders(database)
            hasUnreadableFolders = isWanted
            if isWanted {
                try PackageRow.replaceUnreadableFolders(
                    database, from: walk, to: path, machine: machine, by: receipt.packageID)
            }
        }
        return receipt
    }

    private func decide(_ proposal: PackageProposal) throws -> Receipt {
        // New for each package, because an earlier package of the batch may have brought the same content.
        let known = SQLiteKnownState(database, machine: machine)
        let decision = try PackageDecision(proposal, known)
        let taken = try decision.replacing.flatMap { try TagRow.fetch(database, package: $0.seq) }
        let receipt = try carryOut(decision, proposal, taking: taken, known)
        guard let earlier = decision.earlier else { return receipt }
        let left = try TagRow.apply(TagChange(adding: proposal.tags + taken), database, to: earlier)
        return ReceiptComposer.reported(receipt, withoutRoomFor: left)
    }

    /// - Parameter tags: those of the packages that are replaced.
    private func carryOut(
        _ decision: PackageDecision, _ proposal: PackageProposal, taking tags: [PackageTag], _ known: SQLiteKnownState
    ) throws -> Receipt {
        switch decision {
        case .insert(let package): return try insert(package, proposal, tags: proposal.newTags + tags, known)
        case .duplicate(let earlier, let missing, let replaced, let becomesCurrent, let sightings, let opening):
            for prior in replaced { try PackageRow.setSuperseded(database, prior, by: earlier.id) }
            if becomesCurrent { try PackageRow.endReplacement(database, earlier) }
            try SourceRow.record(database, proposal, machine: machine, package: earlier.seq)
            try known.open(opening)
            try add(missing, of: proposal.receipt, to: earlier, known)
            return try repeated(proposal, earlier, replacing: replaced, sightings, known)
        case .failedAgain(let earlier):
            try SourceRow.record(database, proposal, machine: machine, package: earlier.seq)
            try PackageRow.update(database, earlier, to: proposal)
            return ReceiptComposer.failedAgain(proposal)
        case .addsNothing(let earlier, let replaced, let sighting, let opening):
            for prior in replaced { try PackageRow.setSuperseded(database, prior, by: earlier.id) }
            try known.open(opening)
            return try repeated(proposal, earlier, sighting.map { [$0] } ?? [], known)
        }
    }

    /// Restores "replaced by" between packages of one bag, as soon as both are here.
    private func relate(_ proposal: PackageProposal) throws {
        guard let history = proposal.history else { return }
        let id = proposal.receipt.id
        if let later = history.replacedBy { try PackageRow.restoreReplacement(database, of: id, by: later) }
        for earlier in history.replaced { try PackageRow.restoreReplacement(database, of: earlier, by: id) }
    }

    /// Adds what a repeated package has of its own to the earlier one: its arrivals, and its records if a part of it is
    /// missing. Such a record may be the only copy of that part.
    private func repeated(
        _ proposal: PackageProposal, _ earlier: KnownPackage, replacing replaced: [KnownPackage] = [],
        _ sightings: [PackageSighting], _ known: SQLiteKnownState
    ) throws -> Receipt {
        if !sightings.isEmpty {
            try SightingRow.insert(database, sightings, package: earlier.seq, this: machine)
            try ChangeRow.insert(database, kind: "sighted", subject: earlier.id, row: earlier.seq)
        }
        if proposal.receipt.outcome != .accepted, proposal.history == nil {
            try PackageRow.add(database, proposal.records, package: earlier.seq)
        }
        return ReceiptComposer.receipt(
            repeating: earlier, proposal, replacing: replaced, isNewArrival: !sightings.isEmpty,
            deliveries: try known.placed(earlier))
    }

    private func add(
        _ missing: [DeliveryDecision], of receipt: Receipt, to earlier: KnownPackage, _ known: SQLiteKnownState
    ) throws {
        guard !missing.isEmpty else { return }
        for delivery in missing {
            let object = try known.object(receipt, place: delivery.proposal.lead)
            let row = try insert(delivery, package: earlier.seq, object: object, known)
            try ChangeRow.insert(database, kind: "delivery", subject: delivery.proposal.id, row: row)
        }
        known.forgetDeliveries()
    }

    /// Inserts a delivery; returns its number.
    @discardableResult
    private func insert(
        _ delivery: DeliveryDecision, package: Int64, object: Int64?, _ known: SQLiteKnownState
    ) throws -> Int64 {
        let seq = try DeliveryRow.insert(
            database, delivery, package: package, object: object, leader: known.leader(of: delivery))
        known.note(delivery, seq)
        return seq
    }

    private func insert(
        _ package: NewPackage, _ proposal: PackageProposal, tags: [PackageTag], _ known: SQLiteKnownState
    ) throws -> Receipt {
        var receipt = ReceiptComposer.receipt(of: package, proposal)
        var objects: [Int64?] = []
        for (place, isNew) in zip(receipt.providers.indices, package.isNew) {
            let provider = receipt.providers[place]
            if isNew, let digest = provider.sha256, let size = provider.size {
                // The decision was made in this transaction, so the row is still absent and needs no second lookup.
                try known.note(digest, ObjectRow.insert(database, digest, size, isAbsent: true).seq)
            }
            objects.append(provider.size == nil ? nil : try known.object(receipt, place: place))
        }
        let seq = try PackageRow.insert(database, proposal, receipt, machine: machine, objects: objects)
        try SourceRow.record(database, proposal, machine: machine, package: seq)
        for prior in package.replaces { try PackageRow.setSuperseded(database, prior, by: receipt.id) }
        let stored = KnownPackage(seq: seq, id: receipt.id, outcome: receipt.outcome, run: proposal.run)
        let left = try TagRow.apply(TagChange(adding: tags), database, to: stored, isNew: true)
        receipt = ReceiptComposer.reported(receipt, withoutRoomFor: left)
        try known.open(package.opening)
        for delivery in package.deliveries {
            let lead = delivery.proposal.lead
            let object = objects.indices.contains(lead) ? objects[lead] : nil
            let row = try insert(delivery, package: seq, object: object, known)
            // A duplicate stands as the delivery that it follows.
            let record =
                delivery.duplicateOf == nil
                ? ReceiptComposer.reported(delivery) : try DeliveryRow.fetch(database, seq: row)?.record(database)
            if let record { receipt.attach(record, lead: lead) }
        }
        return receipt
    }
}
