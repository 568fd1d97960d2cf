internal import GroupContainer
internal import ShareModel

extension [Intake] {
    /// The intakes without the content that the container does not need. Discards that content.
    ///
    /// - A walk skips a package that was forgotten. If its content were stored and no row named it, it would be back in
    ///   the container until the next collection.
    /// - The description of a package that the container has is not kept a second time.
    ///
    /// *Must:* the caller holds the objects lock until the rows of the intakes are committed.
    func needed(in catalog: any Catalog) throws -> [Intake] {
        let found = Set(lazy.filter { $0.isFound && $0.proposal != nil }.map(\.receipt.id))
        let forgotten = found.isEmpty ? [] : try catalog.forgottenPackages(among: found)
        let described = Set(lazy.filter(\.isWholeWithRecords).map(\.receipt.id))
        let known = described.isEmpty ? [] : try catalog.knownPackages(among: described)
        guard !forgotten.isEmpty || !known.isEmpty else { return self }
        return map { intake in
            if intake.isFound, forgotten.contains(intake.receipt.id) { return intake.forgotten }
            return intake.isWholeWithRecords && known.contains(intake.receipt.id) ? intake.withoutRecords : intake
        }
    }
}

extension Intake {
    /// The records of a package that misses a part may be the only copy of that part.
    fileprivate var isWholeWithRecords: Bool {
        receipt.outcome == .accepted && proposal?.records.isEmpty == false
    }

    fileprivate var forgotten: Intake {
        staged.forEach { $0.discard() }
        let receipt = Receipt(forgotten: receipt.id, receipt.source)
        return Intake(receipt: receipt, proposal: nil, isFound: isFound)
    }

    fileprivate var withoutRecords: Intake {
        var intake = self
        let records = Set(proposal?.records.map(\.digest) ?? []).subtracting(receipt.providers.compactMap(\.sha256))
        for object in staged where records.contains(object.digest) { object.discard() }
        intake.staged.removeAll { records.contains($0.digest) }
        intake.proposal?.records = []
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
