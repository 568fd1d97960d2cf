internal import GroupContainer
internal import ShareModel

extension [Intake] {
    /// The intakes without the content that the container does not need. Discards that content.
    ///
    /// - A walk skips a package that was forgotten. If its content were stored and no row named it, it would be back in
    ///   the container until the next collection.
    /// - The description of a package that the container has is not kept a second time, nor are the products that a bag
    ///   has of it.
    ///
    /// *Must:* the caller holds the objects lock until the rows of the intakes are committed.
    func needed(in catalog: any Catalog) throws -> [Intake] {
        var found: [String: [Digest?]] = [:]
        for intake in self where intake.mayBeForgotten {
            for id in intake.ids { found[id] = intake.receipt.providers.map(\.sha256) }
        }
        let forgotten = found.isEmpty ? [] : try catalog.forgottenPackages(among: found)
        let asked = Set(lazy.filter { $0.isWholeWithRecords || $0.isAny(of: forgotten) }.map(\.receipt.id))
        let known = asked.isEmpty ? [] : try catalog.knownPackages(among: asked)
        guard !forgotten.isEmpty || !known.isEmpty else { return self }
        return map { intake in
            if intake.isAny(of: forgotten), !known.contains(intake.receipt.id) { return intake.forgotten }
            return intake.isWholeWithRecords && known.contains(intake.receipt.id) ? intake.withoutRecords : intake
        }
    }
}

extension Intake {
    /// The identifiers under which the package may have been forgotten.
    fileprivate var ids: [String] { [receipt.id] + (plainID.map { [$0] } ?? []) }

    /// Whether a walk skips the package if it was forgotten. The identifier of a failure says only where it was, so it
    /// must not hide later failures there.
    fileprivate var mayBeForgotten: Bool { isFound && !isFinal && receipt.outcome != .failed }

    fileprivate func isAny(of forgotten: Set<String>) -> Bool {
        mayBeForgotten && !forgotten.isEmpty && ids.contains(where: forgotten.contains)
    }

    /// The records of a package that misses a part may be the only copy of that part.
    fileprivate var isWholeWithRecords: Bool {
        guard let proposal else { return false }
        // A bag adds nothing but sightings to a package that is known.
        if let history = proposal.history { return !proposal.records.isEmpty || !history.deliveries.isEmpty }
        return receipt.outcome == .accepted && !proposal.records.isEmpty
    }

    fileprivate var forgotten: Intake {
        staged.forEach { $0.discard() }
        let receipt = Receipt(forgotten: receipt.id, receipt.source)
        return Intake(final: receipt, isFound: isFound)
    }

    fileprivate var withoutRecords: Intake {
        var intake = self
        let contents = Set(receipt.providers.compactMap(\.sha256))
        for object in staged where !contents.contains(object.digest) { object.discard() }
        intake.staged.removeAll { !contents.contains($0.digest) }
        intake.change {
            $0.records = []
            $0.history?.deliveries = []
        }
        return intake
    }
}

extension Receipt {
    /// The receipt of a forgotten package that a walk skips.
    fileprivate init(forgotten id: String, _ source: Source) {
        self.init(id: id, source: source, outcome: .skipped)
        reason = "it was forgotten; name it to take it in"
    }

    /// The receipt of a forgotten file that a walk skips, and that is not read again.
    static func forgotten(_ source: PackageSource) -> Receipt {
        Receipt(
            forgotten: PackageKey.failure(source, original: nil), Source(kind: source.kind, path: source.path))
    }
}
