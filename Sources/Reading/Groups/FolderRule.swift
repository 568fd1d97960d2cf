internal import ShareModel

/// A rule that makes one package of two entries of a folder: a lead, and an entry that follows it. ``all`` is the
/// table.
///
/// A file that is wrongly taken into a package is hidden in it. A file that is wrongly left alone only becomes a package
/// of its own. So names are not enough: the bytes must prove that both are what their names say.
struct FolderRule: Sendable {
    /// How the follower's name relates to the lead's. Stems are compared by bytes, endings without regard to case.
    enum Relation: Sendable {
        /// The follower has the lead's stem and one of these endings: `a.mov` follows `a.heic`.
        case stem(Set<String>)
        /// The follower has the lead's stem, or its whole name, before this ending: `a.xmp` and `a.jpg.xmp` follow
        /// `a.jpg`.
        case stemOrName(String)
        /// The follower has the lead's whole name before this ending: `a.jpg.json` follows `a.jpg`. The beginning of a
        /// word may lie between them, and then the number of the lead: `a.jpg.word(1).json` follows `a(1).jpg`.
        case name(String, word: String)
        /// The follower is a folder with the lead's stem and one of these texts: `a_files` follows `a.html`. The case
        /// of the texts matters.
        case folder([String])
    }

    /// What the name of a follower says about the name of its lead.
    enum LeadName: Equatable, Sendable {
        case stem([UInt8])
        case whole([UInt8])
    }

    /// Tests the bytes of a lead.
    typealias LeadTest = @Sendable (SiblingFile) -> Bool

    /// The name in the guide.
    let name: String
    /// The endings of leads.
    let leads: Set<String>
    let relation: Relation
    let role: ItemProvider.Role
    /// Tests the bytes of a follower: whether it is what its name says, and then, which leads it may have.
    let proof: @Sendable (SiblingFile) -> LeadTest?

    /// Whether an entry may be in a group, by its name alone. Most entries of most folders may not.
    static func mayGroup(_ entry: EntryName) -> Bool {
        endings.contains(entry.ending) || all.contains { $0.followsAsFolder && !$0.leadNames(of: entry).isEmpty }
    }

    private static let endings = all.reduce(into: Set<String>()) { endings, rule in
        endings.formUnion(rule.leads)
        switch rule.relation {
        case .stem(let followers): endings.formUnion(followers)
        case .stemOrName(let ending), .name(let ending, _): endings.insert(ending)
        case .folder: break
        }
    }

    var followsAsFolder: Bool { if case .folder = relation { true } else { false } }

    /// The names of the leads that an entry may follow, the likelier one first; none if no follower has such a name.
    func leadNames(of follower: EntryName) -> [LeadName] {
        switch relation {
        case .stem(let endings): return endings.contains(follower.ending) ? [.stem(follower.stem)] : []
        case .stemOrName(let ending):
            return follower.ending == ending ? [.whole(follower.stem), .stem(follower.stem)] : []
        case .name(let ending, let word):
            return follower.ending == ending ? [.whole(Self.wholeName(follower.stem, word))] : []
        case .folder(let texts):
            return texts.filter(follower.ends(in:)).map { .stem(follower.bytes.dropLast($0.utf8.count)) }
        }
    }

    /// The names of the folders that may follow a lead.
    func folderNames(of lead: EntryName) -> [[UInt8]] {
        guard case .folder(let texts) = relation, leads.contains(lead.ending) else { return [] }
        return texts.map { lead.stem + $0.utf8 }
    }

    /// The lead's name in the stem of a follower: `a(1).jpg` for `a.jpg.wor(1)`.
    private static func wholeName(_ stem: [UInt8], _ word: String) -> [UInt8] {
        let (rest, number) = EntryName.splitNumber(stem) ?? (stem, [])
        let name = EntryName(rest)
        return EntryName(word.hasPrefix(name.ending) ? name.stem : rest).numbered(number)
    }
}
