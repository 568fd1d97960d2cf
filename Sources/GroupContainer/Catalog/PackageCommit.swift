internal import GRDB
internal import ShareModel

/// Writes the rows of packages as ``PackageDecision`` decides, inside the transaction of the batch.
struct PackageCommit {
    let database: Database
    /// The number of the machine that the packages come from.
    let machine: Int64
    /// The new packages in their order, for ``index()``.
    private var new: [(receipt: Receipt, text: String?, seq: Int64)] = []

    init(_ database: Database, machine: Int64) {
        self.database = database
        self.machine = machine
    }

    mutating func commit(_ proposal: PackageProposal) throws -> Receipt {
        // New for each package, because an earlier package of the batch may have brought the same content.
        let known = SQLiteKnownState(database, machine: machine)
        switch try PackageDecision(proposal, known) {
        case .insert(let package): return try insert(package, proposal, known)
        case .duplicate(let earlier, let missing):
            try record(proposal, earlier)
            try add(missing, of: proposal.receipt, to: earlier, known)
            return ReceiptComposer.receipt(repeating: earlier, proposal, deliveries: try known.placed(earlier))
        case .failedAgain(let earlier):
            try record(proposal, earlier)
            try PackageRow.update(database, earlier, to: proposal)
            return ReceiptComposer.failedAgain(proposal)
        case .addsNothing(let earlier):
            return ReceiptComposer.receipt(repeating: earlier, proposal, deliveries: try known.placed(earlier))
        }
    }

    /// Writes the words of the new packages. Call this after all commits; ``WordsRow`` says why.
    func index() throws {
        for package in new { try WordsRow(package.receipt, text: package.text, package: package.seq).insert(database) }
    }

    /// Records that the source now yields the content of an earlier package.
    private func record(_ proposal: PackageProposal, _ earlier: KnownPackage) throws {
        // A failed package has no content that could be current.
        if earlier.outcome != .failed {
            try PackageRow.makeCurrent(database, earlier, for: proposal, machine: machine)
        }
        try SourceRow.record(database, proposal, machine: machine, package: earlier.seq)
    }

    private func add(
        _ missing: [DeliveryDecision], of receipt: Receipt, to earlier: KnownPackage, _ known: SQLiteKnownState
    ) throws {
        guard !missing.isEmpty else { return }
        for delivery in missing {
            let object = try known.object(receipt, place: delivery.proposal.lead)
            let record = try DeliveryRow.insert(database, delivery, package: earlier.seq, object: object)
            try ChangeRow.insert(database, kind: "delivery", subject: record.id, row: database.lastInsertedRowID)
        }
        known.forgetDeliveries()
    }

    private mutating func insert(_ package: NewPackage, _ proposal: PackageProposal, _ known: SQLiteKnownState) throws
        -> Receipt
    {
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
        new.append((receipt, proposal.text, seq))
        for prior in package.replaces { try PackageRow.setSuperseded(database, prior, by: receipt.id) }
        for delivery in package.deliveries {
            let lead = delivery.proposal.lead
            let object = objects.indices.contains(lead) ? objects[lead] : nil
            receipt.attach(try DeliveryRow.insert(database, delivery, package: seq, object: object), lead: lead)
        }
        return receipt
    }
}
