/// What a garbage collection took away, or would take.
public struct Collected: Sendable, Codable, Equatable {
    /// Files that no row named.
    public var files = 0
    /// Their bytes.
    public var bytes: Int64 = 0
    /// Rows of objects that nothing referred to; their files are counted too.
    public var rows = 0
    /// Files without a row that are too young to be taken.
    public var young = 0
    /// What lies among the objects and is none; it is left alone.
    public var strange = 0

    /// Nothing yet.
    public init() {}
}

/// What a garbage collection takes.
public struct CollectOptions: Sendable {
    /// The grace that a file without a row has where nobody says otherwise, in seconds: a day.
    public static let grace: Int64 = 24 * 60 * 60

    /// A file is left alone for so many seconds after it changed last.
    public var grace = Self.grace
    /// Whether everything is only told.
    public var isPlan = false

    /// The usual grace, and everything done.
    public init() {}
}

/// What a garbage collection tells while it goes on.
public enum CollectEvent: Sendable {
    /// A leftover that is removed, or would be.
    case leftover(Leftover)
    /// Something that is no object, relative to the container; it stays.
    case strange(CareFinding)
}

/// A file that nothing refers to.
public struct Leftover: Sendable, Codable, Equatable {
    /// Its name.
    public var object: Digest
    /// In bytes.
    public var bytes: Int64

    /// A leftover of so many bytes.
    public init(object: Digest, bytes: Int64) {
        self.object = object
        self.bytes = bytes
    }
}
