internal import Files
internal import GroupContainer
internal import ShareModel
internal import SinkHost
internal import SinkKit

/// The part of a package's receipt that deliveries need.
struct DeliveredPackage {
    struct Provider {
        let index: Int
        let name: String
        let type: MediaType?
        let sha256: Digest?
        let size: Int64?
    }

    struct Group {
        let rule: String
        let providers: [Int]
    }

    let id: String
    /// The address of a package that is a link.
    let address: String?
    /// The title and the text of the item.
    let title, text: String?
    let providers: [Provider]
    let groups: [Group]

    init(_ receipt: JSONMembers) throws(JSONMisfit) {
        id = try receipt.required("id") { $0.text }
        let source = try receipt.optional("source", JSONMembers.init)
        let isLink = try source?.optional("kind") { $0.text } == PackageSource.Kind.link.rawValue
        address = isLink ? try source?.optional("path") { $0.text } : nil
        let item = try receipt.optional("item", JSONMembers.init)
        title = try item?.optional("title") { $0.text }
        text = try item?.optional("text") { $0.text }
        providers = try receipt.required(list: "providers", Provider.init)
        groups = try receipt.required(list: "groups", Group.init)
    }

    /// The provider with an index.
    func provider(withIndex index: Int) -> Provider? {
        // It is usually the provider's place, so that place is tried first.
        if providers.indices.contains(index), providers[index].index == index { return providers[index] }
        return providers.first { $0.index == index }
    }

    /// Whether the only provider is the item's own text.
    var isTextAlone: Bool {
        guard providers.count == 1, let text else { return false }
        return providers[0].sha256?.isOfContent(from: text) == true
    }
}

extension DeliveredPackage.Provider {
    fileprivate init(_ value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        index = try members.required("index") { $0.place }
        name = try members.required("name") { $0.text }
        type = try members.optional("type") { $0.text.flatMap { MediaType($0) } }
        sha256 = try members.optional("sha256") { $0.text.flatMap { Digest($0) } }
        size = try members.optional("size") { $0.whole }
    }
}

extension DeliveredPackage.Group {
    fileprivate init(_ value: JSONValue) throws(JSONMisfit) {
        let members = try JSONMembers(of: value)
        rule = try members.required("rule") { $0.text }
        providers = try members.required(list: "providers") { $0.place }
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
    init(_ claimed: ClaimedDelivery, of package: DeliveredPackage, captionBytes: Int, _ objects: any ObjectStore) {
        let group = package.groups.first { $0.providers.first == claimed.lead }?.providers ?? [claimed.lead]
        let roles = claimed.payload.split(separator: " ").map { Delivery.Part.Role(rawValue: String($0)) ?? .content }
        let parts = zip(group, roles).compactMap { place, role in
            package.provider(withIndex: place).flatMap { HostedPart($0, role: role, objects) }
        }
        self.init(
            id: claimed.id, key: PackageKey.sent(claimed.key, as: claimed.login), attempt: claimed.attempt,
            isUncertain: claimed.isUncertain,
            title: package.title?.cut(toBytes: captionBytes),
            // The text of an item without attachments is its content, so a part holds it.
            text: package.isTextAlone ? nil : package.text?.cut(toBytes: captionBytes), parts: parts,
            login: claimed.login, number: claimed.seq)
    }
}

extension HostedPart {
    fileprivate init?(_ provider: DeliveredPackage.Provider, role: Delivery.Part.Role, _ objects: any ObjectStore) {
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
