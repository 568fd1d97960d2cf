public import ShareModel

/// One content that belongs into the folder `library`: a provider of a package that nothing has replaced.
package struct LibraryPiece: Sendable {
    /// The number of the package.
    package var package: Int64
    /// The provider's place in it.
    package var place: Int
    /// When it came in: ISO 8601, UTC.
    package var received: String
    /// The provider's name, safe already.
    package var name: String
    /// The package's title, as it came.
    package var title: String?
    /// What it is.
    package var type: MediaType
    /// The object that holds it.
    package var digest: Digest
}

/// Where a piece belongs, and under which name if that is free.
package struct LibraryName: Sendable {
    /// Folders below `library`, each a safe name.
    package var folders: [String]
    /// The name without its ending.
    package var stem: String
    /// The ending with its dot; empty where there is none.
    package var ending: String
    /// Two names that a file system may take for the same have the same folded form. What stands before and behind a dot
    /// or a space folds by itself.
    package var folded: @Sendable (String) -> String

    /// A name in a folder, with what tells it from others.
    package init(folders: [String], stem: String, ending: String, folded: @escaping @Sendable (String) -> String) {
        self.folders = folders
        self.stem = stem
        self.ending = ending
        self.folded = folded
    }

    /// The path below `library`: as it is, then with ` (2)`, ` (3)` … before the ending.
    func path(_ number: Int) -> String {
        (folders + [stem + Self.mark(number) + ending]).joined(separator: "/")
    }

    /// The folded form of a path.
    func key(_ number: Int) -> String { foldedStem + Self.mark(number) + foldedEnding }

    /// With the folders.
    var foldedStem: String { folded((folders + [stem]).joined(separator: "/")) }
    var foldedEnding: String { folded(ending) }

    private static func mark(_ number: Int) -> String { number == 1 ? "" : " (\(number))" }
}

/// The result of bringing the folder `library` up to date.
public struct LibraryReport: Sendable, Codable, Equatable {
    /// The number of files that were written.
    public var added = 0
    /// The number of files that were removed, because their packages were replaced or their content is gone.
    public var removed = 0
    /// Whether the whole folder was built anew.
    public var rebuilt = false
    /// Files that a person changed, as paths below `library`. They stay, and later runs leave them alone.
    public var kept: [String] = []
    /// Packages with content that was left out, because its object is missing.
    public var missing: [PackageName] = []

    /// The result of a run that changed nothing.
    public init() {}
}
