/// The result of a garbage collection, or of a plan for one.
public struct Collected: Sendable, Codable, Equatable {
    /// The number of removed files that no row names.
    public var files = 0
    /// The size of these files, in bytes.
    public var bytes: Int64 = 0
    /// The number of removed object rows without references; their files are in ``files`` too.
    public var rows = 0
    /// The number of files without a row that are still within the grace period.
    public var young = 0
    /// The number of entries among the objects that are not objects; the collection keeps them.
    public var strange = 0

    /// All counts are 0.
    public init() {}
}

/// The options of a garbage collection.
public struct CollectOptions: Sendable {
    /// The default grace period for a file without a row, in seconds: a day.
    public static let grace: Int64 = 24 * 60 * 60

    /// The grace period: the collection keeps a file for this time after its last change, in seconds.
    public var grace = Self.grace
    /// Whether the collection only reports and removes nothing.
    public var isPlan = false

    /// The default options: remove, with the default grace period.
    public init() {}
}

/// The reports of a garbage collection while it runs.
public enum CollectEvent: Sendable {
    /// A file that is removed, or would be.
    case leftover(Leftover)
    /// An entry that is not an object; the collection keeps it.
    case strange(CareFinding)
}

/// A file without references.
public struct Leftover: Sendable, Codable, Equatable {
    /// The name of the file's object.
    public var object: Digest
    /// The size, in bytes.
    public var bytes: Int64

    /// A leftover with the given values.
    public init(object: Digest, bytes: Int64) {
        self.object = object
        self.bytes = bytes
    }
}
