internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import SystemPackage

/// Composes the result of an input: its receipt, its rows, its groups and their deliveries.
struct PackageComposer: Sendable {
    let router: Router
    let limits: IngestLimits
    let clock: Clock
    /// The name of this run.
    let run: String
    /// The accounts of the sinks.
    let accounts: AccountBook

    /// A package with the content of at least one provider.
    func package(
        _ package: SharePackage, _ item: ExtensionItem, _ selections: [ProviderSelection], _ resolution: Resolution
    ) throws -> Intake {
        let contents = selections.compactMap(\.content)
        let failures = selections.count(where: { $0.content == nil })
        var receipt = Receipt(
            id: PackageKey.identifier(
                senderID: package.id, title: item.title, text: item.text,
                contents: selections.map { $0.content?.object.digest }),
            package.source, failures == 0 ? .accepted : .partial)
        if failures > 0 {
            receipt.reason =
                "\(failures) of \(selections.count) attachments could not be used; replace them and run again"
        }
        receipt.bytes = contents.reduce(0) { $0 + $1.object.size }
        receipt.warnings = package.warnings
        receipt.item = resolution.chosen
        receipt.alternatives = resolution.alternatives
        receipt.providers = selections.map(\.story)
        let members = selections.compactMap { GroupMember($0, limits: limits) }
        let groups = GroupPolicy.standard.groups(members)
        for (place, group) in groups.enumerated() {
            // The reader of the folder has put them together, not a sender.
            let rule = package.source.kind == .group ? Receipt.Group.folderRule : group.rule
            receipt.groups.append(Receipt.Group(rule: rule, providers: group.members.map(\.0.index)))
            for (member, _) in group.members { receipt.providers[member.index].group = place }
        }
        if router.registry.sinks.isEmpty {
            receipt.warnings.append("no sink was found, so nothing is delivered; install one and run again")
        }
        var proposal = self.proposal(receipt, senderID: package.id, package.source)
        // Only files that a walk found are recognized by their stamp. It covers the whole package.
        if package.source.kind == .file || package.source.kind == .group {
            proposal.stamp = SourceStamp(combining: selections.map { $0.content?.stamp })
        }
        proposal.deliveries = groups.flatMap { deliveries(of: $0, receipt: receipt) }
        if let destination = router.destination, proposal.deliveries.contains(where: { $0.sink == destination }) {
            proposal.receipt.destination = destination
        }
        return Intake(proposal, staged: contents.map(\.object))
    }

    /// A package without any content.
    func failed(_ package: SharePackage, _ resolution: Resolution, original: HandedInput.Original?) -> Intake {
        let why =
            if resolution.isEmpty {
                "the package has no items, because the sharing program sent none; share again"
            } else if resolution.failures.isEmpty {
                "its items have neither attachments nor text; share again"
            } else {
                resolution.failures.count == 1
                    ? resolution.failures[0].reason : "none of its \(resolution.failures.count) providers could be used"
            }
        return failed(package, why, original: original) { receipt in
            receipt.alternatives = resolution.alternatives
            receipt.providers = resolution.failures
        }
    }

    /// A package that fails as a whole.
    func failed(
        _ package: SharePackage, _ why: String, original: HandedInput.Original?,
        _ complete: (inout Receipt) -> Void = { _ in }
    ) -> Intake {
        var receipt = self.receipt(package.source, .failed, why, original)
        receipt.warnings = package.warnings
        complete(&receipt)
        return Intake(proposal(receipt, senderID: package.id, package.source))
    }

    /// An input that no reader can read.
    func failed(_ source: PackageSource, _ why: String, original: HandedInput.Original?) -> Intake {
        Intake(proposal(receipt(source, .failed, why, original), senderID: nil, source))
    }

    /// A path that does not exist, or a line that is no path. It fails this run and leaves no row, because there is
    /// nothing to try again.
    func missing(_ source: PackageSource, _ why: String) -> Intake {
        var receipt = self.receipt(source, .failed, why)
        receipt.leavesNoPackage = true
        return Intake(final: receipt)
    }

    /// An input that the reader left out on purpose. It leaves no row.
    func skipped(_ source: PackageSource, _ why: String) -> Intake {
        Intake(final: receipt(source, .skipped, why))
    }

    /// The receipt of an input of which nothing comes in.
    private func receipt(
        _ source: PackageSource, _ outcome: PackageOutcome, _ why: String, _ original: HandedInput.Original? = nil
    ) -> Receipt {
        var receipt = Receipt(id: PackageKey.failure(source, original: original), source, outcome)
        receipt.reason = why
        return receipt
    }

    private func proposal(_ receipt: Receipt, senderID: String?, _ source: PackageSource) -> PackageProposal {
        // A package replaces an earlier one of the same path. Input from a pipe has no path of its own.
        var proposal = PackageProposal(
            receipt: receipt, senderID: senderID, sourcePath: source.isTransient ? nil : source.path,
            received: clock.now(), run: run)
        if source.isFound { proposal.walk = source.root }
        return proposal
    }
}

extension PackageComposer {
    /// One delivery for each sink that accepts the type of the group's lead.
    private func deliveries(of group: ProviderGroup, receipt: Receipt) -> [DeliveryProposal] {
        guard let type = receipt.providers[group.lead.index].type else { return [] }
        return router.sinks(for: type).map { sink in
            DeliveryProposal(
                of: receipt.id, to: sink.id, lead: group.lead.index,
                parts: group.members.compactMap { receipt.providers[$0.0.index].sha256 }, roles: group.members.map(\.1),
                login: accounts.login(of: sink.id))
        }
    }
}

extension DeliveryProposal {
    /// The delivery of a group.
    ///
    /// - Parameters:
    ///   - package: the identifier in the package's receipt.
    ///   - lead: the index of the provider that leads the group.
    ///   - parts: the content of the group's providers, in order.
    ///   - roles: the roles of the group's providers, in order.
    ///   - login: the login under which it goes out; `nil` if it needs none, or if there is none yet.
    init(
        of package: String, to sink: String, lead: Int, parts: [Digest], roles: [Delivery.Part.Role],
        login: AccountUser?
    ) {
        let key = PackageKey.delivery(sink: sink, parts: parts)
        let idWithoutLogin = PackageKey.deliveryIdentifier(package: package, lead: lead, key: key, login: nil)
        let id = login.map { PackageKey.deliveryIdentifier(package: package, lead: lead, key: key, login: $0) }
        self.init(
            id: id ?? idWithoutLogin, idWithoutLogin: idWithoutLogin, key: key, sink: sink, lead: lead,
            payload: Delivery.roles(roles), login: login)
    }
}

extension Receipt {
    init(id: String, _ source: PackageSource, _ outcome: PackageOutcome) {
        self.init(id: id, source: Source(kind: source.kind, path: source.path), outcome: outcome)
    }
}
