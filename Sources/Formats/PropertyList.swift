/// A property list, the format in which Apple's systems write link files, saved pages and attachments.
///
/// It can be binary, version `bplist00`, as the header comment of Apple's CFBinaryPList.c describes it, or XML with the
/// elements of PropertyList-1.0.dtd. The bytes may be malicious; ``Limits`` bounds the cost of reading.
package indirect enum PropertyList: Sendable, Hashable {
    /// Up to 128 bits, as in the binary form.
    case integer(Int128)
    case real(Double)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00:00 UTC, the epoch of Apple's dates.
    case date(Double)
    case string(String)
    case data([UInt8])
    /// A reference inside a keyed archive.
    case uid(UInt64)
    /// An array or a set.
    case array([PropertyList])
    /// The entries in the order of the bytes. If a key occurs several times, ``subscript(_:)`` returns its first value.
    case dictionary([Entry])

    /// One key of a dictionary and its value.
    package struct Entry: Sendable, Hashable {
        /// The key as written.
        package var key: String
        /// The value of the key.
        package var value: PropertyList

        /// An entry with the given key and value.
        package init(key: String, value: PropertyList) {
            self.key = key
            self.value = value
        }
    }

    /// The limits for reading a list. If one is exceeded, reading fails with a ``Failure``.
    package struct Limits: Sendable {
        /// The size of the list in bytes.
        package var bytes = 1 << 20
        /// The largest depth of nested arrays and dictionaries.
        package var depth = 32
        /// The number of values. A shared value counts for each reference to it.
        package var objects = 10_000
        /// The number of bytes in all strings and data. A shared value counts for each reference to it.
        package var expandedBytes = 4 << 20

        /// The limits for a list from a stranger.
        package static let standard = Limits()

        /// The standard limits.
        package init() {}
    }

    /// The reason why bytes cannot be read as a property list.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of failure.
        package enum Reason: String, Sendable {
            case notOne = "this is not a property list"
            case malformed = "the property list is malformed"
            case cyclic = "the property list contains itself"
            case tooLarge = "the property list is too large"
            case tooDeep = "the property list is nested too deeply"
            case tooMany = "the property list holds too many values"
        }

        /// The kind of failure.
        package var reason: Reason
        /// The offset in the bytes. For XML in UTF-16, it is the offset in the UTF-8 form.
        package var offset: Int

        /// The failure and its offset.
        package var description: String { "\(reason.rawValue) (at byte \(offset))" }
    }

    /// Reads a whole property list, binary or XML (UTF-8, or UTF-16 with a byte order mark).
    ///
    /// - Throws: ``Failure``.
    package static func parse(_ bytes: [UInt8], limits: Limits = .standard) throws -> PropertyList {
        guard bytes.count <= limits.bytes else { throw Failure(reason: .tooLarge, offset: bytes.count) }
        if bytes.starts(with: BinaryPropertyListReader.signature) {
            var reader = try BinaryPropertyListReader(ContentBytes(bytes, budget: .unlimited), limits: limits)
            return try reader.root()
        }
        guard looksLikeOne(bytes) else { throw Failure(reason: .notOne, offset: 0) }
        var reader = try XMLPropertyListReader(bytes, limits: limits)
        return try reader.root()
    }

    /// Whether the bytes start like a property list. This check is cheap; ``parse(_:limits:)`` may still fail.
    package static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: BinaryPropertyListReader.signature) { return true }
        guard let element = XMLProlog(bytes)?.root else { return false }
        return element.name == "plist"
    }

    /// The value of a key; `nil` if this is not a dictionary, or has no such key.
    package subscript(_ key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}
