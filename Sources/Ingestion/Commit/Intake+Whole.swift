internal import GroupContainer
internal import ShareModel

extension [Intake] {
    /// The intakes, each one failed whose content relies on an object that the container has no more. Another process may
    /// have removed it after the intake was staged.
    ///
    /// *Must:* the caller holds the objects lock until the rows of the intakes are committed.
    ///
    /// - Parameter durable: objects that the caller stored before, under a lock that it still holds.
    func whole(in container: Container, durable: Set<Digest>) throws -> [Intake] {
        let staged = flatMap(\.staged)
        let fresh = Set(staged.lazy.filter { !$0.place.isStored }.map(\.digest)).union(durable)
        let stored = staged.filter { $0.place.isStored && !fresh.contains($0.digest) }
        guard !stored.isEmpty else { return self }
        let known = try container.catalog.knownObjects(among: Set(stored.map(\.digest)))
        let gone = try Set(
            stored.filter { try !known.contains($0.digest) || container.objects.size($0.digest) != $0.size }
                .map(\.digest))
        guard !gone.isEmpty else { return self }
        // Another intake may rely on the bytes of one that fails.
        return try map { intake in
            intake.staged.contains { gone.contains($0.digest) } ? intake.withoutContent : intake
        }.whole(in: container, durable: durable)
    }
}

extension Intake {
    /// It leaves no row, because the next run takes it in.
    fileprivate var withoutContent: Intake {
        staged.forEach { $0.discard() }
        var receipt = Receipt(id: receipt.id, source: receipt.source, outcome: .failed)
        receipt.reason = "its content was removed from the container while it was taken in; run again"
        receipt.leavesNoPackage = true
        return Intake(final: receipt, isFound: isFound)
    }
}
