internal import Files
package import ShareModel

/// Identifiers and keys. Two packages with one identifier are the same, and so are two deliveries with one key.
package enum PackageKey {
    /// A package's identifier: from the sender's own `id`, if there is one, and from the content.
    ///
    /// The sender's `id` alone would identify the shares of a well-behaved sender. The identifier includes the content,
    /// so that other content under an old `id` supersedes the old package instead of being dropped as a duplicate.
    ///
    /// - Parameters:
    ///   - title: the item's title; `nil` if it has none.
    ///   - text: the item's text; `nil` if it has none.
    ///   - contents: a digest for each provider; `nil` for a provider without content. So a whole package and a part of
    ///     it have different identifiers, and the whole one supersedes the other.
    package static func identifier(senderID: String?, title: String?, text: String?, contents: [Digest?]) -> String {
        identifier(["package", senderID ?? "", title ?? "", text ?? ""] + contents.map { $0?.description ?? "" })
    }

    /// The identifier of an input that failed as a whole. It is the same in every run.
    ///
    /// - Parameter name: the digest of the path, or of the input if that was kept.
    package static func failure(_ kind: PackageSource.Kind, named name: Digest) -> String {
        identifier(["failure", kind.rawValue, name.description])
    }

    /// A delivery's key: the same content for the same sink has the same key.
    package static func delivery(sink: String, parts: [Digest]) -> String {
        identifier(["delivery", sink] + parts.map(\.description))
    }

    /// The key under which a sink gets a delivery: two persons who send the same content do not repeat each other.
    package static func sent(_ key: String, as login: AccountUser?) -> String {
        login.map { identifier(["delivery as", key, "\($0.account)", $0.user]) } ?? key
    }

    /// A delivery's identifier: one key can have deliveries in several packages and groups, and for several persons.
    ///
    /// - Parameter login: the login that was known when the delivery was made; `nil` if there was none.
    package static func deliveryIdentifier(package: String, lead: Int, key: String, login: AccountUser?) -> String {
        identifier(["delivery of", package, String(lead), sent(key, as: login)])
    }

    /// The first 128 bits of a SHA-256, as 32 hexadecimal digits.
    ///
    /// The length before each field keeps fields apart: `ab`, `c` and `a`, `bc` give different identifiers.
    private static func identifier(_ fields: [String]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count + 8 })
        for (place, field) in fields.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: String(field.utf8.count).utf8)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: field.utf8)
        }
        return Digest(of: text).digits(32)
    }
}
