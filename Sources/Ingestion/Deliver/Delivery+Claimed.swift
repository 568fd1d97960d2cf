internal import GroupContainer
internal import ShareModel
internal import SinkKit

extension Delivery {
    /// What a catalog keeps of a delivery besides its package: the parts' roles, in the order of the group.
    static func roles(_ roles: [Part.Role]) -> String { roles.map(\.rawValue).joined(separator: " ") }

    /// What the sink gets of a claimed delivery, still without its folders.
    ///
    /// - Parameters:
    ///   - receipt: of its package.
    ///   - captionBytes: how much of the item's title and text is handed over, in bytes each.
    init(_ claimed: ClaimedDelivery, of receipt: DeliveredPackage, captionBytes: Int) {
        let group = receipt.groups.first { $0.providers.first == claimed.lead }?.providers ?? [claimed.lead]
        let roles = claimed.payload.split(separator: " ").map { Part.Role(rawValue: String($0)) ?? .content }
        let parts = zip(group, roles).compactMap { place, role in
            receipt.provider(at: place).flatMap { Part($0, role: role) }
        }
        // The text of an item without attachments is its content, and comes as a part.
        let isText = receipt.isTextAlone
        self.init(
            id: claimed.id, key: claimed.key, attempt: claimed.attempt,
            title: receipt.item?.title?.cut(toBytes: captionBytes),
            text: isText ? nil : receipt.item?.text?.cut(toBytes: captionBytes), parts: parts, out: "")
    }
}

extension Delivery.Part {
    fileprivate init?(_ provider: DeliveredPackage.Provider, role: Role) {
        guard let type = provider.type, let digest = provider.sha256, let size = provider.size else { return nil }
        self.init(
            role: role, path: nil, name: provider.name, type: type.description, size: size, sha256: digest.description)
    }
}
