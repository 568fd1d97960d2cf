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
        /// The follower's role in the group.
        let role: Role
        /// What a follower must have in common with this lead; `nil` if the provider cannot lead by this rule.
        let lead: @Sendable (GroupMember) -> Bond?
        /// What a lead must have in common with this follower; `nil` if the provider cannot follow by this rule.
        let follower: @Sendable (GroupMember) -> Bond?
    }

    /// What a lead and its followers have in common.
    enum Bond: Hashable {
        /// They are in one item.
        case item
        /// Their names are equal up to the extension, as bytes in lower case.
        case stem([UInt8])
    }

    let rules: [Rule]

    /// The rule's name for a group of one.
    static let single = "single"
    /// The rule's name for a group that the sender declared.
    static let declared = "declared by the sender"

    static let standard = GroupPolicy(rules: [
        Rule(
            name: "live photo", learned: "a photo app shares the still and the movie of one shot as two attachments",
            role: .movie, lead: { $0.contentClass == .image ? $0.stem : nil },
            follower: { $0.contentClass == .video ? $0.stem : nil }),
        Rule(
            name: "sidecar", learned: "a camera app keeps edits beside the photo, in IMG_1.xmp or IMG_1.aae",
            role: .sidecar, lead: { $0.contentClass == .image || $0.contentClass == .video ? $0.stem : nil },
            follower: { $0.isNamedAsSidecar ? $0.stem : nil }),
        Rule(
            name: "with a sidecar",
            learned: "the export of a photo library has what it knows of a photo in a JSON file",
            role: .sidecar, lead: { $0.isPreview || $0.isMarkedAsSidecar ? nil : .item },
            follower: { $0.isMarkedAsSidecar ? .item : nil }),
        Rule(
            name: "with a preview", learned: "a web app shares a page and, marked as preview, a picture of it",
            role: .preview, lead: { $0.isPreview ? nil : .item }, follower: { $0.isPreview ? .item : nil }),
        Rule(
            name: "link with its icon", learned: "an app store shares a link and the app's icon, which has no role",
            role: .preview, lead: { $0.isLink ? .item : nil }, follower: { $0.isSmallImage ? .item : nil }),
        Rule(
            name: "link with script results",
            learned: "a browser shares a property list of the page's words beside it",
            role: .sidecar, lead: { $0.isLink ? .item : nil }, follower: { $0.isPropertyList ? .item : nil }),
        Rule(
            name: "link with a caption", learned: "a browser shares the selection as a text beside the link",
            role: .caption, lead: { $0.isLink ? .item : nil }, follower: { $0.isCaption ? .item : nil }),
    ])

    /// The roles of a group whose members are known by the receipt alone: by its rules, and among several by the types.
    ///
    /// - Parameters:
    ///   - names: as in the receipt: the names of the rules, or ``declared``.
    ///   - types: the types of the members, in their order.
    func roles(rule names: String, types: [MediaType?]) -> [Role] {
        let names = names.split(separator: ", ")
        let known = rules.filter { names.contains($0.name[...]) }.map(\.role)
        let classes = types.map { $0.map(ContentClass.init(of:)) }
        return classes.enumerated().map { place, type in
            if place == 0 { return .content }
            if known.count == 1 { return known[0] }
            let likely: Role? =
                switch (classes[0], type) {
                case (.image, .video): .movie
                case (.link, .image): .preview
                case (.link, .text): .caption
                default: nil
                }
            // The sender's own group may have several contents.
            if known.isEmpty { return likely ?? .content }
            return likely.flatMap { known.contains($0) ? $0 : nil } ?? (known.contains(.sidecar) ? .sidecar : known[0])
        }
    }

    /// The groups in the order of their leads. Every member is in exactly one group.
    ///
    /// The work grows with the number of members and not with its square: a lead looks its followers up.
    func groups(_ members: [GroupMember]) -> [ProviderGroup] {
        if members.count == 1 { return [ProviderGroup(rule: Self.single, members: [(members[0], .content)])] }
        var isFree = Array(repeating: true, count: members.count)
        var groups = declaredGroups(members, &isFree)
        var waiting = rules.map { rule in
            Self.places(members.indices.filter { isFree[$0] }) { rule.follower(members[$0]) }
        }
        for lead in members.indices where isFree[lead] {
            let joined = followers(of: lead, members, &waiting, &isFree)
            guard !joined.isEmpty else { continue }
            isFree[lead] = false
            groups.append(
                ProviderGroup(
                    rule: Set(joined.map(\.rule)).sorted().map { rules[$0].name }.joined(separator: ", "),
                    members: [(members[lead], .content)] + joined.map { (members[$0.place], rules[$0.rule].role) }))
        }
        groups += members.indices.filter { isFree[$0] }.map {
            ProviderGroup(rule: Self.single, members: [(members[$0], .content)])
        }
        return groups.sorted { $0.lead.index < $1.lead.index }
    }

    /// Takes the free followers of a lead, each by the first rule that fits, in the order of the members.
    ///
    /// - Parameter waiting: for each rule, the places of the members that may follow by it.
    private func followers(
        of lead: Int, _ members: [GroupMember], _ waiting: inout [[Bond: [Int]]], _ isFree: inout [Bool]
    ) -> [(place: Int, rule: Int)] {
        var joined: [(place: Int, rule: Int)] = []
        for (number, rule) in rules.enumerated() {
            guard let bond = rule.lead(members[lead]), let places = waiting[number].removeValue(forKey: bond) else {
                continue
            }
            for place in places where isFree[place] && place != lead {
                isFree[place] = false
                joined.append((place, number))
            }
            // A member that leads no group may still follow a later one.
            if places.contains(lead) { waiting[number][bond] = [lead] }
        }
        return joined.sorted { $0.place < $1.place }
    }

    private func declaredGroups(_ members: [GroupMember], _ isFree: inout [Bool]) -> [ProviderGroup] {
        let places = Self.places(members.indices) { members[$0].declaredGroup.map { Array($0.utf8) } }
        var groups: [ProviderGroup] = []
        // A group of one declares nothing, so the rules may still use its provider.
        for places in places.values where places.count > 1 {
            for place in places { isFree[place] = false }
            let members = places.map { members[$0] }
            groups.append(
                ProviderGroup(
                    rule: Self.declared, members: members.map { ($0, role(of: $0, in: members)) },
                    name: members[0].declaredGroup))
        }
        return groups
    }

    /// The places of members by what they have in common, in their order.
    private static func places<Common>(
        _ places: some Sequence<Int>, _ common: (Int) -> Common?
    ) -> [Common: [Int]] {
        var found: [Common: [Int]] = [:]
        for place in places { if let common = common(place) { found[common, default: []].append(place) } }
        return found
    }

    // The sender says which providers belong together; the rules still find their roles.
    private func role(of member: GroupMember, in members: [GroupMember]) -> Role {
        guard let lead = members.first, lead.index != member.index else { return .content }
        return rules.first { rule in rule.lead(lead).map { $0 == rule.follower(member) } ?? false }?.role ?? .content
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
