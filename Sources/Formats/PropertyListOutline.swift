/// The form of a property list and the keys of its top dictionary. Saved pages have megabytes, so the list is not read
/// completely.
package struct PropertyListOutline: Sendable, Hashable {
    /// The two forms.
    package enum Form: Sendable {
        case binary, xml
    }

    /// The form of the list.
    package var form: Form
    /// The keys in the order of the bytes; `nil` if the top object is not a dictionary, or if its keys cannot be read.
    /// For a large XML list, these are only the keys in the window at the beginning.
    package var topKeys: [String]?

    /// For a binary list, at most 256 keys of 64 KiB together. The keys that identify a format are among the first.
    private static let binaryLimits: PropertyList.Limits = {
        var limits = PropertyList.Limits.standard
        limits.objects = 256
        limits.expandedBytes = 64 << 10
        return limits
    }()

    /// Reads the outline; `nil` if the content does not start like a property list.
    ///
    /// - Throws: an error if the content cannot be read. A damaged list is not an error, but has no keys.
    package init?(_ content: ContentBytes) throws {
        let isBinary = try content.start().starts(with: BinaryPropertyListReader.signature)
        guard try isBinary || PropertyList.looksLikeOne(content.head()) else { return nil }
        do {
            if isBinary {
                form = .binary
                // The table of offsets is at the end. This is one read, instead of dozens of small ones.
                _ = try content.tail()
                var reader = try BinaryPropertyListReader(content, limits: Self.binaryLimits)
                topKeys = try reader.topKeys()
            } else {
                form = .xml
                topKeys = try Self.topKeys(inXML: content.head())
            }
        } catch is PropertyList.Failure {
            topKeys = nil
        }
    }

    private static func topKeys(inXML head: [UInt8]) throws -> [String]? {
        var reader = try XMLPropertyListReader(head, limits: .standard)
        // A truncated or damaged list still has the keys before the damage.
        _ = try? reader.root()
        return reader.topKeys
    }
}
