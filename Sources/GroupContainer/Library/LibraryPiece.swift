public import ShareModel

/// One content that belongs into the folder `library`: a provider of a package that nothing has replaced.
public struct LibraryPiece: Sendable {
    /// The number of the package.
    public var package: Int64
    /// The provider's place in it.
    public var place: Int
    /// When it came in: ISO 8601, UTC.
    public var received: String
    /// The provider's name, safe already.
    public var name: String
    /// What it is.
    public var type: MediaType
    /// The object that holds it.
    public var digest: Digest
}

/// Where a piece belongs, and under which name if that is free.
public struct LibraryName: Sendable {
    /// Folders below `library`, each a safe name.
    public var folders: [String]
    /// The name without its ending.
    public var stem: String
    /// The ending with its dot; empty where there is none.
    public var ending: String
    /// Two names that a file system may take for the same have the same folded form.
    public var folded: @Sendable (String) -> String

    /// A name in a folder, with what tells it from others.
    public init(folders: [String], stem: String, ending: String, folded: @escaping @Sendable (String) -> String) {
        self.folders = folders
        self.stem = stem
        self.ending = ending
        self.folded = folded
    }

    /// The path below `library`: as it is, then with ` (2)`, ` (3)` … before the ending.
    func path(_ number: Int) -> String {
        (folders + [stem + (number == 1 ? "" : " (\(number))") + ending]).joined(separator: "/")
    }
}

/// What became of the folder `library`.
public struct LibraryReport: Sendable, Codable, Equatable {
    /// How many files were made.
    public var added = 0
    /// How many were taken away, since their packages were replaced or their content is gone.
    public var removed = 0
    /// Whether all of it was built anew.
    public var rebuilt = false
    /// Files that are ours no longer, since somebody changed them: paths below `library`; they stay.
    public var kept: [String] = []
    /// Packages with content that was left out, since its object is not there.
    public var missing: [PackageName] = []

    /// Nothing done yet.
    public init() {}
}
