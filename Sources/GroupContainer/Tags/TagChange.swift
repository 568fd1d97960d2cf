/// Tags to add to a package and to remove from it.
public struct TagChange: Sendable, Hashable {
    /// The tags to add. A package that has such a tag keeps it as it is spelled there.
    public var adding: [PackageTag]
    /// The tags to remove, before others are added.
    public var removing: [PackageTag]

    /// A change. A tag *must not* be in both lists.
    public init(adding: [PackageTag] = [], removing: [PackageTag] = []) {
        self.adding = adding
        self.removing = removing
    }

    /// Whether there is nothing to add or to remove.
    public var isEmpty: Bool { adding.isEmpty && removing.isEmpty }

    /// The tags of a package after the change, in order, and the tags that it has no room for; see
    /// ``PackageTag/packageLimit``.
    public func applied(to tags: [PackageTag]) -> (tags: [PackageTag], left: [PackageTag]) {
        var known = Set(tags).subtracting(removing)
        var left: [PackageTag] = []
        for tag in adding where !known.contains(tag) {
            if known.count < PackageTag.packageLimit { known.insert(tag) } else { left.append(tag) }
        }
        return (known.sorted(), left)
    }
}
