internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost
internal import SinkKit

extension Receipt {
    /// The provider with an index.
    func provider(at place: Int) -> Provider? {
        // The index is usually the provider's place, so that place is tried first.
        if providers.indices.contains(place), providers[place].index == place { return providers[place] }
        return providers.first { $0.index == place }
    }

    /// Whether the only provider is the item's own text.
    fileprivate var isTextAlone: Bool {
        guard providers.count == 1, let text = item?.text else { return false }
        return providers[0].sha256?.isOfContent(from: text) == true
    }
}

extension Delivery {
    /// The payload of a delivery's row: the roles of its parts, in the order of the group.
    static func roles(_ roles: [Part.Role]) -> String { roles.map(\.rawValue).joined(separator: " ") }
}

extension HostedDelivery {
    /// The delivery that the host sends to the sink.
    ///
    /// - Parameters:
    ///   - package: the delivery's package.
    ///   - captionBytes: the maximum size of the item's title, and of its text, in bytes.
    init(_ claimed: ClaimedDelivery, of package: Receipt, captionBytes: Int, _ objects: any ObjectStore) {
        let group = package.groups.first { $0.providers.first == claimed.lead }?.providers ?? [claimed.lead]
        let roles = claimed.payload.split(separator: " ").map { Delivery.Part.Role(rawValue: String($0)) ?? .content }
        let parts = zip(group, roles).compactMap { place, role in
            package.provider(at: place).flatMap { HostedPart($0, role: role, objects) }
        }
        self.init(
            id: claimed.id, key: PackageKey.sent(claimed.key, as: claimed.login), attempt: claimed.attempt,
            isUncertain: claimed.isUncertain,
            title: package.item?.title?.cut(toBytes: captionBytes),
            // The text of an item without attachments is its content, so a part holds it.
            text: package.isTextAlone ? nil : package.item?.text?.cut(toBytes: captionBytes), parts: parts,
            login: claimed.login, number: claimed.seq)
    }
}

extension HostedPart {
    fileprivate init?(_ provider: Receipt.Provider, role: Delivery.Part.Role, _ objects: any ObjectStore) {
        guard let type = provider.type, let digest = provider.sha256, let size = provider.size else { return nil }
        self.init(
            role: role, name: provider.name, type: type.description, size: size, sha256: digest,
            localFile: objects.localPath(of: digest)
        ) {
            do {
                return try objects.open(digest)
            } catch let error as ContainerError where error.code == .notFound {
                // Lost content is a fault of this delivery. The sink and its other deliveries go on.
                throw UndeliverableError(why: "\(error)")
            }
        }
    }
}
