internal import GRDB
internal import ShareModel
internal import SystemPackage

/// Decides, inside the committing transaction, what a package is to the container: new, the same again, or the newer
/// form of an older one.
struct PackageSettler {
    let database: Database
    /// The new packages, in their order, which are to be indexed by their words.
    private var new: [(receipt: Receipt, text: String?, seq: Int64)] = []

    init(_ database: Database) { self.database = database }

    mutating func settle(_ proposal: PackageProposal) throws -> Receipt {
        let absent = try absentDigest(proposal)
        let priors = try PackageRow.fetchCurrent(database, of: proposal)
        if absent == nil, let earlier = try priors.first(id: proposal.receipt.id, database) {
            try earlier.makeCurrent(database, for: proposal)
            try SourceRow.record(database, proposal, package: earlier.seq)
            return try repeated(proposal, earlier)
        }
        if let earlier = priors.last(where: { $0.outcome != .failed }), try isNothingNew(proposal, since: earlier) {
            return try repeated(proposal, earlier)
        }
        return try insert(proposal, priors: priors, absent: absent)
    }

    /// Indexes the words of what is new; to be called last, see ``WordsRow``.
    func index() throws {
        for package in new { try WordsRow(package.receipt, text: package.text, package: package.seq).insert(database) }
    }

    /// Some of its content that was never here, so that no package with the same identifier can have been: that is made of
    /// the content. `nil` where its first content is known, or it has none.
    private func absentDigest(_ proposal: PackageProposal) throws -> Digest? {
        guard let digest = proposal.receipt.providers.lazy.compactMap(\.sha256).first else { return nil }
        return try ObjectRow.seq(database, digest) == nil ? digest : nil
    }

    /// A package that lost more than it had before adds nothing: it is what came in earlier, in part.
    private func isNothingNew(_ proposal: PackageProposal, since earlier: PackageRow) throws -> Bool {
        guard proposal.receipt.outcome == .partial else { return false }
        let before = try earlier.receipt(database)
        let isReworded =
            before.item?.title != proposal.receipt.item?.title || before.item?.text != proposal.receipt.item?.text
        return try !isReworded && proposal.receipt.contents.isSubset(of: earlier.contents(database))
    }

    private func repeated(_ proposal: PackageProposal, _ earlier: PackageRow) throws -> Receipt {
        var receipt = proposal.receipt
        receipt.storedBytes = 0
        for place in receipt.providers.indices where receipt.providers[place].outcome == .stored {
            receipt.providers[place].outcome = .duplicate
        }
        switch receipt.outcome {
        case .accepted:
            receipt.outcome = .duplicate
            receipt.reason = "the same content came in before"
        case .failed:
            try earlier.update(database, to: proposal)
            return receipt
        case .partial, .duplicate, .skipped: break
        }
        receipt.duplicateOf = earlier.id
        if earlier.id == receipt.id { try addMissing(proposal.deliveries, to: earlier) }
        for delivery in try DeliveryRow.fetchAll(database, package: earlier.seq) {
            let isOfThisRun = earlier.run == proposal.run
            receipt.attach(try delivery.repeated(database, isOfThisRun: isOfThisRun), lead: delivery.lead)
        }
        return receipt
    }

    /// A sink that was not there when the package came in gets it when it comes again.
    private func addMissing(_ deliveries: [DeliveryProposal], to earlier: PackageRow) throws {
        let there = Set(try DeliveryRow.fetchAll(database, package: earlier.seq).map(\.id))
        for delivery in deliveries where !there.contains(delivery.id) {
            let object = try earlier.object(database, place: delivery.lead)
            _ = try DeliveryRow.insert(database, delivery, package: earlier.seq, object: object)
            try ChangeRow.insert(
                database, kind: "delivery", subject: delivery.id, row: database.lastInsertedRowID)
        }
    }

    /// - Parameter absent: a digest that no row has.
    private mutating func insert(_ proposal: PackageProposal, priors: [PackageRow], absent: Digest?) throws -> Receipt {
        var absent = absent
        var receipt = proposal.receipt
        if receipt.outcome != .failed, let prior = priors.last {
            receipt.supersedes = prior.id
            receipt.warnings += try warnings(proposal, prior)
        }
        var objects: [Int64?] = Array(repeating: nil, count: receipt.providers.count)
        for place in receipt.providers.indices {
            guard let digest = receipt.providers[place].sha256, let size = receipt.providers[place].size else {
                continue
            }
            let isAbsent = digest == absent
            if isAbsent { absent = nil }
            let (object, isNew) = try ObjectRow.insert(database, digest, size, isAbsent: isAbsent)
            objects[place] = object
            receipt.providers[place].outcome = isNew ? .stored : .duplicate
            if isNew { receipt.storedBytes += size }
        }
        let seq = try PackageRow.insert(database, proposal, receipt, objects: objects)
        try SourceRow.record(database, proposal, package: seq)
        new.append((receipt, proposal.text, seq))
        if receipt.outcome != .failed {
            for prior in priors { try prior.setSuperseded(database, by: receipt.id) }
        }
        for delivery in proposal.deliveries {
            let object = objects.indices.contains(delivery.lead) ? objects[delivery.lead] : nil
            receipt.attach(
                try DeliveryRow.insert(database, delivery, package: seq, object: object), lead: delivery.lead)
        }
        return receipt
    }

    private func warnings(_ proposal: PackageProposal, _ prior: PackageRow) throws -> [String] {
        if prior.run == proposal.run {
            return ["the source gave other bytes earlier in this run; it may be unstable, look at both packages"]
        }
        if prior.outcome == .partial, try !prior.contents(database).isSubset(of: proposal.receipt.contents) {
            return ["the source gave other bytes when it was tried again; it may be unstable, look at both packages"]
        }
        if proposal.senderID != nil, prior.outcome == .accepted {
            return ["the sender used this id before, for other content; both are kept"]
        }
        return []
    }
}

extension [PackageRow] {
    /// The package with an identifier: one of these, else any other.
    fileprivate func first(id: String, _ database: Database) throws -> PackageRow? {
        try first { $0.id == id } ?? PackageRow.fetch(database, id: id)
    }
}

extension Receipt {
    /// The digests of all that is in.
    var contents: Set<Digest> { Set(providers.compactMap(\.sha256)) }
}
