/// A package with its tags.
public struct TaggedPackage: Sendable, Codable, Equatable {
    /// The package's identifier.
    public var id: String
    /// The package's title, or the name of its source.
    public var name: String
    /// The words that a person gave it, in the order of their letters.
    public var tags: [String]

    /// A package with its name and its tags.
    public init(id: String, name: String, tags: [String]) {
        self.id = id
        self.name = name
        self.tags = tags
    }
}

/// A tag of a container.
public struct TagCount: Sendable, Codable, Equatable {
    /// The word.
    public var tag: String
    /// The number of packages that have it.
    public var packages: Int

    /// A tag with the number of its packages.
    public init(tag: String, packages: Int) {
        self.tag = tag
        self.packages = packages
    }
}
