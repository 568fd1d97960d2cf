internal import ShareModel
internal import SinkKit

/// Finds the providers of an item that belong together. A sink gets them as one delivery. The rules are a table, read
/// from the top.
///
/// A rule says which provider leads and which one follows it. Each provider joins at most one group; the remaining
/// providers are groups of one.
struct GroupPolicy {
    typealias Role = Delivery.Part.Role

    struct Rule {
        let name: String
        /// The real share that the rule was made for.
        let learned: String
        /// The follower's role in the group; `nil` if the two do not belong together.
        let role: @Sendable (_ lead: GroupMember, _ follower: GroupMember) -> Role?
    }

    let rules: [Rule]

    /// The rule's name for a group of one.
    static let single = "single"
    /// The rule's name for a group that the sender declared.
    static let declared = "declared by the sender"

    static let standard = GroupPolicy(rules: [
        Rule(name: "live photo", learned: "a photo app shares the still and the movie of one shot as two attachments") {
            $0.contentClass == .image && $1.contentClass == .video && $0.hasSameStem(as: $1) ? .movie : nil
        },
        Rule(name: "sidecar", learned: "a camera app keeps edits beside the photo, in IMG_1.xmp or IMG_1.aae") {
            ($0.contentClass == .image || $0.contentClass == .video) && $1.isSidecar && $0.hasSameStem(as: $1)
                ? .sidecar : nil
        },
        Rule(name: "with a preview", learned: "a web app shares a page and, marked as preview, a picture of it") {
            !$0.isPreview && $1.isPreview ? .preview : nil
        },
        Rule(name: "link with its icon", learned: "an app store shares a link and the app's icon, which has no role") {
            $0.isLink && $1.isSmallImage ? .preview : nil
        },
        Rule(
            name: "link with script results", learned: "a browser shares a property list of the page's words beside it"
        ) {
            $0.isLink && $1.isPropertyList ? .sidecar : nil
        },
        Rule(name: "link with a caption", learned: "a browser shares the selection as a text beside the link") {
            $0.isLink && $1.isCaption ? .caption : nil
        },
    ])

    /// The groups in the order of their leads. Every member is in exactly one group.
    func groups(_ members: [GroupMember]) -> [ProviderGroup] {
        if members.count == 1 { return [ProviderGroup(rule: Self.single, members: [(members[0], .content)])] }
        var free = members
        var groups = declaredGroups(&free)
        for lead in members {
            let joined = followers(of: lead, among: free)
            guard !joined.isEmpty else { continue }
            let names = rules.map(\.name).filter { name in joined.contains { $0.rule == name } }
            groups.append(
                ProviderGroup(
                    rule: names.joined(separator: ", "),
                    members: [(lead, .content)] + joined.map { ($0.member, $0.role) }))
            free.removeAll { member in member.index == lead.index || joined.contains { $0.member.index == member.index }
            }
        }
        groups += free.map { ProviderGroup(rule: Self.single, members: [($0, .content)]) }
        return groups.sorted { $0.lead.index < $1.lead.index }
    }

    private func followers(of lead: GroupMember, among free: [GroupMember])
        -> [(rule: String, member: GroupMember, role: Role)]
    {
        guard free.contains(where: { $0.index == lead.index }) else { return [] }
        return free.compactMap { follower in
            guard follower.index != lead.index else { return nil }
            for rule in rules {
                if let role = rule.role(lead, follower) { return (rule.name, follower, role) }
            }
            return nil
        }
    }

    private func declaredGroups(_ free: inout [GroupMember]) -> [ProviderGroup] {
        var groups: [ProviderGroup] = []
        for lead in free {
            guard let name = lead.declaredGroup, !groups.contains(where: { $0.name == name }) else { continue }
            let members = free.filter { $0.declaredGroup == name }
            // A group of one declares nothing, so the rules may still use its provider.
            guard members.count > 1 else { continue }
            groups.append(
                ProviderGroup(rule: Self.declared, members: members.map { ($0, role(of: $0, in: members)) }, name: name)
            )
        }
        free.removeAll { member in groups.contains { $0.members.contains { $0.0.index == member.index } } }
        return groups
    }

    // The sender says which providers belong together; the rules still find their roles.
    private func role(of member: GroupMember, in members: [GroupMember]) -> Role {
        guard let lead = members.first, lead.index != member.index else { return .content }
        return rules.lazy.compactMap { $0.role(lead, member) }.first ?? .content
    }
}

/// Providers that a sink gets as one delivery. The first one leads.
struct ProviderGroup {
    let rule: String
    let members: [(GroupMember, GroupPolicy.Role)]
    var name: String?

    init(rule: String, members: [(GroupMember, GroupPolicy.Role)], name: String? = nil) {
        self.rule = rule
        self.members = members
        self.name = name
    }

    var lead: GroupMember { members[0].0 }
}
