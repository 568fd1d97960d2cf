/// A fault in a container, with its remedy.
public struct CareFinding: Sendable, Codable, Equatable {
    /// The kind of fault. The raw values are the words in JSON.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A row names an object that does not exist.
        case missing
        /// The bytes of an object do not have the digest in its name.
        case damaged
        /// An entry with an object's name is not a regular file.
        case notAFile = "not_a_file"
        /// A row states another size than that of its object, whose bytes match its name.
        case size
        /// An object cannot be read.
        case unreadable
        /// An object is not read-only.
        case mode
        /// An earlier verification found the object lost, and it still is.
        case lost
        /// An earlier verification found the object lost, and it is whole now.
        case found
        /// An entry in the folder of the objects is not an object.
        case strange
        /// A row names another row that does not exist, or lacks a row that it needs.
        case row
        /// A record cannot be read: it has a value of another type, an unknown word, or damaged JSON.
        case record
        /// The feed of changes has a gap.
        case feed
        /// The catalog's file is damaged.
        case catalog
        /// An index of the catalog does not match its table, and the tables are sound.
        case index

        /// Whether a repair can fix faults of this kind; the other kinds have other remedies.
        public var isRepairable: Bool {
            switch self {
            case .missing, .damaged, .notAFile, .size, .mode, .found, .index: true
            case .unreadable, .lost, .strange, .row, .record, .feed, .catalog: false
            }
        }
    }

    /// The kind of fault.
    public var kind: Kind
    /// The fault, as readable text.
    public var what: String
    /// The object with the fault; `nil` if the fault is not in an object.
    public var object: Digest?
    /// The path relative to the container; `nil` for a fault in the catalog.
    public var path: String?
    /// The exact bytes of the path, if they are not UTF-8.
    public var pathBase64: String?
    /// The packages with this object, in the order in which they were stored; only the first few if there are many.
    public var packages: [PackageName]
    /// The number of further packages.
    public var morePackages: Int
    /// The remedy, or the repair that was made.
    public var remedy: String
    /// The remedy as a value, for a program that words it by its own commands; not in the JSON.
    public var action: Remedy?
    /// Whether the fault is repaired.
    public var isMended: Bool

    /// A fault that is not repaired yet.
    public init(
        _ kind: Kind, _ what: String, object: Digest? = nil, path: String? = nil, pathBase64: String? = nil,
        packages: [PackageName] = [], morePackages: Int = 0, remedy: String,
        action: Remedy? = nil
    ) {
        self.kind = kind
        self.what = what
        self.object = object
        self.path = path
        self.pathBase64 = pathBase64
        self.packages = packages
        self.morePackages = morePackages
        self.remedy = remedy
        self.action = action
        isMended = false
    }

    enum CodingKeys: String, CodingKey {
        case kind, what, object, path, packages, remedy
        case pathBase64 = "path_base64"
        case morePackages = "more_packages"
        case isMended = "mended"
    }
}

/// A package in the words of a listing.
public struct PackageName: Sendable, Codable, Equatable {
    /// The package's identifier.
    public var id: String
    /// The package's title, or the name of its source.
    public var name: String
    /// The names of its later arrivals, the latest first, without the first name; only the last few if there are many.
    /// `nil` if there are none, and where only the package is named.
    public var alsoNamed: [String]?

    /// A package with its name.
    public init(id: String, name: String, alsoNamed: [String]? = nil) {
        self.id = id
        self.name = name
        self.alsoNamed = alsoNamed
    }

    enum CodingKeys: String, CodingKey {
        case id, name
        case alsoNamed = "also_named"
    }
}
