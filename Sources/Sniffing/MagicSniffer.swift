public import Formats
public import ShareModel

/// Identifies content by libmagic, looks inside where that is rough, and lets claims refine the rest.
///
/// One a worker: it holds a libmagic cookie, which two threads must not use at once.
public final class MagicSniffer: ContentSniffer {
    /// libmagic and the inspectors see at most this much of the beginning, in bytes.
    public static let window = 64 << 10

    private let magic: Magic
    private let rules: ClaimRules

    /// Loads libmagic's database.
    ///
    /// - Throws: ``SniffingFailure`` where that cannot be.
    public init(database: SharedMIMEDatabase = .system) throws {
        magic = try Magic(window: Self.window)
        rules = ClaimRules(database: database)
    }

    /// See ``ContentSniffer/identify(_:claims:)``.
    public func identify(_ content: ContentBytes, claims: TypeClaims) throws -> Identification {
        let sample = Sample(content: content, head: try content.head(Self.window))
        return rules.conclude(try look(into: sample), claims: claims, head: sample.head)
    }

    /// What the bytes alone say.
    private func look(into sample: Sample) throws -> Identification {
        guard sample.content.size > 0 else { return Identification(type: .empty, basis: ["size: no bytes at all"]) }
        var found = Identification(type: magic.type(of: sample.head), basis: [])
        found.basis = ["libmagic: \(found.type)"]
        for inspector in Inspectors.all where inspector.starts.contains(found.type.description) {
            guard let finding = try inspector.inspect(sample), inspector.concludes.contains(finding.type),
                let type = MediaType(finding.type)
            else { continue }
            found.type = type
            found.basis.insert(finding.basis, at: 0)
        }
        return found
    }
}
