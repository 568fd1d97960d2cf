internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SinkHost
internal import SinkKit

// The records of a bag complete a package. The bag may come from a stranger: its receipt counts for what
// only the earlier container can know, and what this container finds out by itself stands.
extension PackageComposer {
    /// The package with its receipt from a bag.
    ///
    /// - Throws: with code `refused` if the receipt tells of other content.
    func restored(_ intake: Intake, _ selections: [ProviderSelection], by recorded: Receipt) throws(ReadingError)
        -> Intake
    {
        let own = intake.receipt
        guard recorded.isSamePackage(as: own) else { throw ReadingError(.refused, "it tells of other content") }
        guard var proposal = intake.proposal else { return intake }
        var receipt = recorded.withoutState
        (receipt.bytes, receipt.storedBytes) = (own.bytes, own.storedBytes)
        for place in receipt.providers.indices { receipt.providers[place].complete(from: own.providers[place]) }
        receipt.unconfirmed = receipt.bagClaims
        if receipt.groups.map(\.providers) != own.groups.map(\.providers) { receipt.groups = own.groups }
        proposal.receipt = receipt
        proposal.received = min(recorded.received ?? proposal.received, proposal.received)
        proposal.history = try history(of: recorded, now: clock.now())
        let groups = GroupPolicy.standard.groups(selections.compactMap { GroupMember($0, limits: limits) })
        var known: Set<String> = []
        proposal.history?.deliveries = groups.flatMap { group in
            recorded.providers[group.lead.index].deliveries.compactMap { delivery($0, of: group, in: receipt) }
        }.filter { known.insert($0.proposal.id).inserted }
        var restored = intake
        restored.change { $0 = proposal }
        return restored
    }

    /// A package that failed before its bag was made.
    ///
    /// - Parameter records: what the bag has of its input.
    /// - Throws: with code `refused` if the receipt is not that of a failure.
    func recorded(_ source: PackageSource, _ recorded: Receipt, records: [Digest]) throws(ReadingError) -> Intake {
        let names = [Digest(of: source.path.bytes)] + records
        guard recorded.outcome == .failed, recorded.providers.allSatisfy({ $0.sha256 == nil }),
            names.contains(where: { PackageKey.failure(source.kind, named: $0) == recorded.id })
        else { throw ReadingError(.refused, "it is no receipt of a failed package") }
        var receipt = recorded.withoutState
        (receipt.bytes, receipt.storedBytes, receipt.groups) = (0, 0, [])
        receipt.unconfirmed = receipt.bagClaims
        var proposal = PackageProposal(
            receipt: receipt, senderID: nil, sourcePath: nil, received: clock.now(), run: run)
        proposal.received = min(recorded.received ?? proposal.received, proposal.received)
        proposal.history = try history(of: recorded, now: clock.now())
        return Intake(proposal)
    }

    /// - Throws: with code `refused` if the receipt has a tag that is none, or too many.
    private func history(of recorded: Receipt, now: String) throws(ReadingError) -> PackageHistory {
        let source = recorded.source
        let words = recorded.tags ?? []
        let tags = words.prefix(PackageTag.packageLimit).compactMap(PackageTag.init)
        guard tags.count == words.count else { throw ReadingError(.refused, "it has a tag that is none, or too many") }
        return PackageHistory(
            sourcePath: source.kind.isTransient ? nil : source.filePath, machine: SourceMachine(source.machine),
            sightings: (recorded.sightings ?? []).map { sighting in
                var sighting = sighting
                // All times have the same form, so their order is that of their texts.
                sighting.received = min(sighting.received, now)
                return PackageSighting(sighting, machine: SourceMachine(sighting.source.machine))
            }, replacedBy: recorded.supersededBy, tags: tags)
    }

    /// A delivery of a group as the receipt records it; `nil` for one that no sink can have made.
    ///
    /// The identifier shows that the same content went to the sink. The sink need not be installed here.
    private func delivery(_ record: DeliveryRecord, of group: ProviderGroup, in receipt: Receipt) -> RecordedDelivery? {
        let parts = group.members.compactMap { receipt.providers[$0.0.index].sha256 }
        var proposal = DeliveryProposal(
            of: receipt.id, to: record.sink, lead: group.lead.index, parts: parts,
            roles: group.members.map(\.1), login: record.login)
        // A delivery that was made before anyone had logged in has a login, but not in its identifier.
        guard [proposal.id, proposal.idWithoutLogin].contains(record.id), record.isSound(limits.delivery) else {
            return nil
        }
        proposal.id = record.id
        var record = record
        (record.due, record.isUnconfirmed) = (nil, nil)
        record.why = record.why?.cut(toBytes: DeliveryRecord.whyBytes)
        return RecordedDelivery(proposal, record)
    }
}

extension Receipt {
    /// Whether this is a receipt of the same package: the same words, and the same content in the same order.
    fileprivate func isSamePackage(as own: Receipt) -> Bool {
        guard id == own.id, outcome == own.outcome, item?.title == own.item?.title, item?.text == own.item?.text,
            providers.count == own.providers.count
        else { return false }
        return zip(providers, own.providers).allSatisfy {
            $0.index == $1.index && $0.sha256 == $1.sha256 && $0.size == $1.size
        }
    }

    /// The parts of a restored receipt that nothing in this container shows.
    fileprivate var bagClaims: [BagClaim] { [.source, .received] + (supersedes == nil ? [] : [.supersedes]) }

    /// The receipt without what changes after the commit.
    fileprivate var withoutState: Receipt {
        var receipt = self
        (receipt.received, receipt.sightings, receipt.moreSightings) = (nil, nil, nil)
        (receipt.supersededBy, receipt.duplicateOf, receipt.source.machine) = (nil, nil, nil)
        (receipt.kept, receipt.tags) = (nil, nil)
        for place in receipt.providers.indices {
            receipt.providers[place].deliveries = []
            // Names of files are made from it.
            receipt.providers[place].name = SafeName.make(receipt.providers[place].name)
        }
        return receipt
    }
}

extension Receipt.Provider {
    /// Takes over what this container has found out by itself. The evidence for the same type may be the recorded one.
    fileprivate mutating func complete(from own: Receipt.Provider) {
        (outcome, group) = (own.outcome, own.group)
        guard type != own.type else { return }
        (type, basis, warnings) = (own.type, own.basis, own.warnings)
    }
}

extension DeliveryRecord {
    /// The longest reason that is taken over, in bytes.
    fileprivate static let whyBytes = 64 << 10

    /// Whether a sink could have answered so.
    fileprivate func isSound(_ limits: DeliveryLimits) -> Bool {
        guard metadata.flatMap(limits.fault) == nil, products.count <= limits.products,
            products.allSatisfy({ $0.size <= limits.productBytes }),
            products.reduce(0, { $0 + $1.size }) <= limits.productsBytes
        else { return false }
        return ([sink] + products.flatMap { [$0.role, $0.name] }).allSatisfy { SafeName.make($0) == $0 }
    }
}

extension SourceMachine {
    /// The machine that a receipt of a bag names.
    fileprivate init(_ name: String?) { self = name.map(SourceMachine.named) ?? .unknown }
}
