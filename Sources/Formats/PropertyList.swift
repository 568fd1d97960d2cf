/// A property list: what Apple's systems write into link files, saved pages and attachments.
///
/// Both forms are read: binary version `bplist00` (as the header comment of Apple's CFBinaryPList.c describes it) and
/// XML (the elements of PropertyList-1.0.dtd). The bytes are hostile; ``Limits`` bounds what a list can cost.
public indirect enum PropertyList: Sendable, Hashable {
    /// Up to 128 bits, as the binary form has them.
    case integer(Int128)
    case real(Double)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00:00 UTC, the epoch of Apple's dates.
    case date(Double)
    case string(String)
    case data([UInt8])
    /// A reference inside a keyed archive.
    case uid(UInt64)
    /// Sets are arrays, too.
    case array([PropertyList])
    /// In the order of the bytes. A key can come twice; ``subscript(_:)`` returns the first.
    case dictionary([Entry])

    /// One key of a dictionary and its value.
    public struct Entry: Sendable, Hashable {
        /// The key as it is written.
        public var key: String
        /// What the key stands for.
        public var value: PropertyList

        /// Pairs a key with its value.
        public init(key: String, value: PropertyList) {
            self.key = key
            self.value = value
        }
    }

    /// What a list may cost at most. Beyond any of them reading ends with a ``Failure``.
    public struct Limits: Sendable {
        /// The size of the list in bytes.
        public var bytes = 1 << 20
        /// How deep arrays and dictionaries may lie in one another.
        public var depth = 32
        /// How many values are made. A shared value counts each time that it is referred to.
        public var objects = 10_000
        /// The bytes of all strings and data that are made; a shared value counts each time.
        public var expandedBytes = 4 << 20

        /// The limits for a list from a stranger.
        public static let standard = Limits()

        /// The standard limits, to be changed where wanted.
        public init() {}
    }

    /// Why bytes could not be read as a property list.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of failure.
        public enum Reason: String, Sendable {
            case notOne = "this is no property list"
            case malformed = "the property list is malformed"
            case cyclic = "the property list contains itself"
            case tooLarge = "the property list is too large"
            case tooDeep = "the property list is nested too deeply"
            case tooMany = "the property list holds too many values"
        }

        /// What kind of failure it is.
        public var reason: Reason
        /// Where in the bytes (of the UTF-8 form, for XML in UTF-16).
        public var offset: Int

        /// What failed, and where.
        public var description: String { "\(reason.rawValue) (at byte \(offset))" }
    }

    /// Reads a whole property list, binary or XML (UTF-8, or UTF-16 with a byte order mark).
    ///
    /// - Throws: ``Failure``.
    public static func parse(_ bytes: [UInt8], limits: Limits = .standard) throws -> PropertyList {
        guard bytes.count <= limits.bytes else { throw Failure(reason: .tooLarge, offset: bytes.count) }
        if bytes.starts(with: BinaryPropertyListReader.signature) {
            var reader = try BinaryPropertyListReader(ContentBytes(bytes, budget: .unlimited), limits: limits)
            return try reader.root()
        }
        guard looksLikeOne(bytes) else { throw Failure(reason: .notOne, offset: 0) }
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        return try reader.root()
    }

    /// Whether the bytes begin like a property list; cheap, and no promise that ``parse(_:limits:)`` succeeds.
    public static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: BinaryPropertyListReader.signature) { return true }
        guard let element = XMLProlog(bytes)?.root else { return false }
        return element.name == "plist"
    }

    /// The value of a dictionary's key; `nil` for everything that is no dictionary.
    public subscript(_ key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}
