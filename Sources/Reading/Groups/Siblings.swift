internal import Files
internal import ShareModel
internal import SystemPackage

/// The entries of one folder, and the groups that they make. A walk has one for each open folder.
///
/// What an entry follows is found once and remembered, so that each file is in one package even if the folder changes
/// meanwhile.
package final class Siblings {
    /// All names, sorted by their bytes.
    let names: [FilePath.Component]
    private let order: SortedNames
    let folder: Directory
    private let path: FilePath
    private let rules: WalkRules
    /// What the entries follow, by their places in ``names``.
    private var links: [Int: Link?] = [:]
    /// The followers that came in with their leads.
    private var taken: Set<Int> = []
    /// The followers whose leads are still to come.
    private var waiting: Set<Int> = []
    /// The rest of ``waiting`` after the last entry, in the reverse order of the names.
    private var orphans: [Int]?

    /// The place of an entry in the groups of its folder.
    enum Place {
        case alone
        /// It belongs to the package of another entry.
        case follower
        /// It leads these entries, in the order of their names. There is at least one.
        case lead([Follower])
    }

    struct Follower {
        let name: FilePath.Component
        let role: ItemProvider.Role
        let stamp: SourceStamp
    }

    private struct Link {
        let lead: Int
        let rule: FolderRule
        /// The time of the newest change below a folder.
        var changed: Int64?
    }

    /// - Parameters:
    ///   - path: of the folder, below the root of the walk.
    ///   - rules: those of the folder. What they leave out is in no group.
    init(_ names: [FilePath.Component], in folder: Directory, at path: FilePath, _ rules: WalkRules) {
        (self.names, self.folder, self.path, self.rules) = (names, folder, path, rules)
        order = SortedNames(names)
    }

    /// The place of an entry that the walk takes. Called for the entries in their order.
    func place(of name: FilePath.Component) -> Place {
        let entry = EntryName(name.bytes)
        guard FolderRule.mayGroup(entry), let own = index(of: entry.bytes) else { return .alone }
        let lead = root(of: own)
        guard lead == own else { return follows(own, lead) ? .follower : .alone }
        let followers = candidates(for: entry).filter { $0 != own && root(of: $0) == own }.compactMap(follower)
        taken.formUnion(followers.map { $0.index })
        waiting.subtract(followers.map { $0.index })
        return followers.isEmpty ? .alone : .lead(followers.map { $0.follower })
    }

    /// Whether a follower is in the package of its lead. A lead that was here already has it or not.
    private func follows(_ index: Int, _ lead: Int) -> Bool {
        guard lead > index else { return taken.contains(index) }
        // The lead will look for its followers among these. If they are too many, it finds none.
        guard candidates(for: EntryName(names[lead].bytes)).contains(index) else { return false }
        waiting.insert(index)
        return true
    }

    /// After the last entry: the next follower whose lead has not taken it, because the lead was removed for example.
    /// Such an entry is alone.
    func takeOrphan() -> FilePath.Component? {
        var rest = orphans ?? waiting.sorted(by: >)
        defer { orphans = rest }
        return rest.popLast().map { names[$0] }
    }

    /// The entry as a follower; `nil` if it is gone.
    private func follower(_ index: Int) -> (index: Int, follower: Follower)? {
        guard let link = link(of: index), let entry = try? folder.entry(names[index]) else { return nil }
        let stamp = entry.stamp.withChange(atLeast: link.changed)
        return (index, Follower(name: names[index], role: link.rule.role, stamp: stamp))
    }

    /// The entry at the end of the links: a sidecar may follow a raw photo, which follows its JPEG.
    private func root(of index: Int) -> Int {
        var (end, rest) = (index, FolderRule.all.count)
        while rest > 0, let link = link(of: end) { (end, rest) = (link.lead, rest - 1) }
        return end
    }

    /// What an entry follows; `nil` if it follows nothing.
    private func link(of index: Int) -> Link? {
        if let known = links[index] { return known }
        let entry = EntryName(names[index].bytes)
        let rules = FolderRule.all.filter { !$0.leadNames(of: entry).isEmpty }
        // Most entries can only lead, and need no memory.
        guard !rules.isEmpty else { return nil }
        let link = rules.lazy.compactMap { self.link(of: index, entry, by: $0) }.first
        links[index] = .some(link)
        return link
    }

    private func link(of index: Int, _ entry: EntryName, by rule: FolderRule) -> Link? {
        let leads = rule.leadNames(of: entry).flatMap(places(of:)).filter {
            rule.leads.contains(EntryName(names[$0].bytes).ending)
        }
        // Only now is anything opened.
        guard !leads.isEmpty, isThere(index, asFolder: rule.followsAsFolder), let test = rule.proof(file(index)) else {
            return nil
        }
        guard let lead = leads.first(where: { isThere($0) && test(file($0)) }) else { return nil }
        guard rule.followsAsFolder else { return Link(lead: lead, rule: rule) }
        let survey = FolderSurvey(names[index], below: folder, at: path.appending(names[index]), rules)
        return survey.isWhole ? Link(lead: lead, rule: rule, changed: survey.changed) : nil
    }

    private func file(_ index: Int) -> SiblingFile { SiblingFile(names[index], in: folder) }

    private func isThere(_ index: Int, asFolder isFolder: Bool = false) -> Bool {
        let name = names[index]
        guard let kind = try? folder.kind(of: name), SkipRule.reason(for: name) == nil,
            rules.reason(leavingOut: path.appending(name), kind) == nil
        else { return false }
        switch kind {
        case .file: return !isFolder
        case .folder: return isFolder
        case .link, .special: return false
        }
    }

    /// The places of the entries that a follower's name may mean.
    private func places(of lead: FolderRule.LeadName) -> [Int] {
        switch lead {
        case .whole(let name): return index(of: name).map { [$0] } ?? []
        case .stem(let stem): return family(of: stem).filter { EntryName(names[$0].bytes).stem == stem }
        }
    }

    /// The places of the entries that may follow a lead, by their names; in the order of the names.
    private func candidates(for lead: EntryName) -> [Int] {
        var found = Set(family(of: lead.stem))
        // The follower of a numbered lead may have its number elsewhere.
        if let (stem, _) = EntryName.splitNumber(lead.stem) { found.formUnion(family(of: stem)) }
        for rule in FolderRule.all { found.formUnion(rule.folderNames(of: lead).compactMap(index(of:))) }
        return found.sorted()
    }

    /// The places of the names that begin with a stem and a dot. Empty if there are too many.
    private func family(of stem: [UInt8]) -> Range<Int> {
        // In the order of bytes, a slash follows the dot, and no name has one.
        let family = order.firstPlace(from: stem + ".".utf8)..<order.firstPlace(from: stem + "/".utf8)
        return family.count <= rules.limits.stemNames ? family : 0..<0
    }

    /// The place of a name; `nil` if the folder has no such entry.
    private func index(of name: [UInt8]) -> Int? {
        let place = order.firstPlace(from: name)
        return place < names.count && order.compare(place, name) == 0 ? place : nil
    }
}

/// The bytes of sorted names, one behind the other, so that a search allocates nothing.
private struct SortedNames {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ names: [FilePath.Component]) {
        ends.reserveCapacity(names.count)
        for name in names {
            bytes += name.bytes
            ends.append(bytes.count)
        }
    }

    /// The place of the first name that is not before these bytes.
    func firstPlace(from wanted: [UInt8]) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, wanted) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Negative if the name is before these bytes, 0 if it is the same.
    func compare(_ place: Int, _ wanted: [UInt8]) -> Int {
        let start = place == 0 ? 0 : ends[place - 1]
        let count = ends[place] - start
        for index in 0..<min(count, wanted.count) where bytes[start + index] != wanted[index] {
            return bytes[start + index] < wanted[index] ? -1 : 1
        }
        return count - wanted.count
    }
}
