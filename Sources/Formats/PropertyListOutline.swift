/// The form of a property list and the keys of its top dictionary, without reading the whole: saved pages are
/// megabytes.
public struct PropertyListOutline: Sendable, Hashable {
    /// The two forms.
    public enum Form: Sendable {
        case binary, xml
    }

    /// Which form it is written in.
    public var form: Form
    /// In the order of the bytes; `nil` where the top is no dictionary, or its keys cannot be read.
    /// For a large XML list only those in its head.
    public var topKeys: [String]?

    /// Of a binary list at most 256 keys of 64 KiB in all: what is sought is among the first.
    private static let binaryLimits: PropertyList.Limits = {
        var limits = PropertyList.Limits.standard
        limits.objects = 256
        limits.expandedBytes = 64 << 10
        return limits
    }()

    /// Looks at the content; `nil` for what does not begin like a property list.
    ///
    /// - Throws: when the content cannot be read. A damaged list is no error, but one without keys.
    public init?(_ content: ContentBytes) throws {
        let isBinary = try content.start().starts(with: BinaryPropertyListReader.signature)
        guard try isBinary || PropertyList.looksLikeOne(content.head()) else { return nil }
        do {
            if isBinary {
                form = .binary
                // The table of offsets lies at the end: one read of it, or dozens of small ones.
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
        // A cut or damaged list still has the keys in front of the damage.
        _ = try? reader.root()
        return reader.topKeys
    }
}
