public import ShareModel
package import SystemPackage

/// One content that belongs into the folder `library`: a provider of a package that no other package has replaced.
package struct LibraryPiece: Sendable {
    /// The number of the package.
    package var package: Int64
    /// The time when the package came in: ISO 8601, UTC.
    package var received: String
    /// What the package came from.
    package var source: (kind: PackageSource.Kind, path: FilePath) = (.other, "-")
    /// The package's title as it came in, which need not be a safe name; `nil` if it has none.
    package var title: String?
    /// The content.
    package var file: LibraryFile
    /// The file that leads the piece's group; `nil` for a piece that leads one, or has no group.
    package var lead: LibraryFile?
    /// What sinks found in the content of the group.
    package var facts = SinkFacts()

    /// The time that the file gets: that of its source, or else that of the arrival.
    var time: Timestamp? { file.modified ?? Timestamp(received) }
}

/// The content of a provider.
package struct LibraryFile: Sendable {
    /// The provider's place in the package.
    package var place: Int
    /// The provider's name, which is a safe name.
    package var name: String
    /// The content's type.
    package var type: MediaType
    /// The object with the content.
    package var digest: Digest
    /// The time of the last change of the file that the content came from; `nil` if it is unknown.
    package var modified: Timestamp?
    /// The page that stands for a content that is one web address; `nil` for any other content.
    package var page: LinkPage?
}

/// The folders and the name that a piece gets, before a number tells it from others of the same name.
package struct LibraryName: Sendable {
    /// Folders below `library`, each a safe name.
    package var folders: [String]
    /// Folders in which no file of the library can stand in the way of a folder; `nil` if ``folders`` are such.
    package var spareFolders: [String]?
    /// The name up to the place of a number.
    package var stem: String
    /// What follows a number: an extension with its dot, or the rest of a name that begins as that of its lead. It begins
    /// with one of ``LibraryName/joints``, or is empty.
    package var ending: String
    /// Folds a name. Two names that a file system may take for the same have the same folded form. The parts before and
    /// after one of ``LibraryName/joints`` fold independently of each other.
    package var folded: @Sendable (String) -> String

    /// A name with all its values.
    package init(folders: [String], stem: String, ending: String, folded: @escaping @Sendable (String) -> String) {
        self.folders = folders
        self.stem = stem
        self.ending = ending
        self.folded = folded
    }

    /// The characters with which an ending may begin.
    static let joints = Set("._- ".utf8)

    /// The path below `library` with a number. Number 1 gives the name unchanged; others put ` (2)`, ` (3)` … before
    /// the ending.
    func path(_ number: Int) -> String {
        (folders + [stem + Self.mark(number) + ending]).joined(separator: "/")
    }

    /// The folded form of ``path(_:)``, by which rows find taken names.
    func key(_ number: Int) -> String { foldedStem + Self.mark(number) + foldedEnding }

    /// The folded folders and stem.
    var foldedStem: String { folded((folders + [stem]).joined(separator: "/")) }
    var foldedEnding: String { folded(ending) }

    private static func mark(_ number: Int) -> String { number == 1 ? "" : " (\(number))" }
}

/// The result of bringing the folder `library` up to date.
public struct LibraryReport: Sendable, Codable, Equatable {
    /// The layout of the folder.
    public var layout = LibraryLayout.contentClass
    /// The number of files that were written.
    public var added = 0
    /// The number of files that were removed, because their packages were replaced or their content is gone.
    public var removed = 0
    /// Whether the whole folder was built anew.
    public var rebuilt = false
    /// The number of packages that got their names while a delivery was open. A sink may still find a title or a date,
    /// which only a rebuild puts into the name.
    public var open = 0
    /// Files that a person changed, as paths below `library`. They stay, and later runs leave them alone.
    public var kept: [String] = []
    /// Packages with content that was left out, because its object is missing.
    public var missing: [PackageName] = []
    /// Packages that were left out, because their rows cannot be read.
    public var unreadable: [PackageName] = []
    /// Packages with content that is recorded as lost. Only its sender can bring it again.
    public var lost: [PackageName] = []

    /// The result of a run that changed nothing.
    public init() {}
}

/// How far an update of the folder `library` has come.
public struct LibraryProgress: Sendable, Equatable {
    /// The number of steps that are done: changes that were read, and in a rebuild files that were removed, and packages.
    public var done: Int64
    /// The number of all steps.
    public var total: Int64
}
