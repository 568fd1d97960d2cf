/// Something in a container that is not as it should be, and what to do about it.
public struct CareFinding: Sendable, Codable, Equatable {
    /// What is wrong. The raw values are the words in JSON.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// An object that a row names is not there.
        case missing
        /// An object's bytes are not those that its name says.
        case damaged
        /// Something else than a regular file bears an object's name.
        case notAFile = "not_a_file"
        /// An object cannot be read.
        case unreadable
        /// An object is not read-only.
        case mode
        /// An object that was found lost before, and still is.
        case lost
        /// An object that was found lost before, and is whole.
        case found
        /// Something in the folder of the objects that is none of them.
        case strange
        /// A row that names a row which is not there, or lacks one.
        case row
        /// The feed of changes has a gap.
        case feed
        /// The catalog's file is damaged.
        case catalog

        /// Whether a repair can do something about it; for the others the remedy is another.
        public var isRepairable: Bool {
            switch self {
            case .missing, .damaged, .notAFile, .mode, .found: true
            case .unreadable, .lost, .strange, .row, .feed, .catalog: false
            }
        }
    }

    /// What is wrong.
    public var kind: Kind
    /// What was found, for people.
    public var what: String
    /// The object that it concerns; `nil` where it is none.
    public var object: Digest?
    /// Where, relative to the container; `nil` for what lies in the catalog.
    public var path: String?
    /// The path's bytes, where they are not UTF-8.
    public var pathBase64: String?
    /// The packages that it concerns, oldest first, of many the first few.
    public var packages: [PackageName]
    /// How many packages more it concerns.
    public var morePackages: Int
    /// What to do, or what was done.
    public var remedy: String
    /// Whether it is put right.
    public var isMended: Bool

    /// A finding that nothing was done about yet.
    public init(
        _ kind: Kind, _ what: String, object: Digest? = nil, path: String? = nil, pathBase64: String? = nil,
        packages: [PackageName] = [], morePackages: Int = 0, remedy: String
    ) {
        self.kind = kind
        self.what = what
        self.object = object
        self.path = path
        self.pathBase64 = pathBase64
        self.packages = packages
        self.morePackages = morePackages
        self.remedy = remedy
        isMended = false
    }

    enum CodingKeys: String, CodingKey {
        case kind, what, object, path, packages, remedy
        case pathBase64 = "path_base64"
        case morePackages = "more_packages"
        case isMended = "mended"
    }
}

/// A package as a person knows it.
public struct PackageName: Sendable, Codable, Equatable {
    /// The package's identifier.
    public var id: String
    /// Its title, or the name of its source.
    public var name: String

    /// A package under its name.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
