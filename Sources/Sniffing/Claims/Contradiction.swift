package import ShareModel

/// Detects content that clearly has another type than all claims, such as an HTML error page declared as JPEG. Another
/// representation of the provider may then be better.
package enum Contradiction {
    /// Pairs of classes that senders confuse, in both directions. All other pairs of different classes contradict each
    /// other.
    static let compatible: [(ContentClass, ContentClass, why: String)] = [
        (.text, .html, "a page without its first tags is text, and a page is sent as text"),
        (.text, .mail, "a mail with an unusual first line is text"),
        (.text, .link, "a link file is text of a few lines"),
        (.text, .office, "tables named .xls are often separated values, documents named .doc often plain"),
        (.html, .mail, "a saved page can be a mail with parts"),
        (.html, .link, "the page behind a link can come in its place"),
        (.html, .office, "tables and documents are often exported as pages"),
        (.office, .archive, "office documents are zip archives"),
        (.office, .mail, "Outlook's mail has the container of old office documents"),
        (.audio, .video, "the same containers hold both"),
        (.binary, .archive, "programs unpack themselves, and installers are archives"),
        (.link, .mail, "both are short text with a header"),
    ]

    /// The reason why `type` contradicts every specific claim, in words; `nil` if it does not, or if there is no such
    /// claim.
    ///
    /// Unrecognized content contradicts nothing. Empty content contradicts all claims but text.
    package static func plainlyContradicts(
        _ type: MediaType, claims: TypeClaims, database: SharedMIMEDatabase = .system
    ) -> String? {
        if let name = claims.name, database.types(forName: name).contains(type) { return nil }
        let claims = Claim.all(claims, database: database).filter(\.isSpecific)
        guard !claims.isEmpty, type != .unknown else { return nil }
        let isAgainstAll = claims.allSatisfy { contradicts(type, $0, database: database) }
        guard isAgainstAll else { return nil }
        let phrases = claims.map(\.phrase).joined(separator: " and ")
        return type == .empty ? "\(phrases), but there are no bytes" : "\(phrases), but the bytes are \(type)"
    }

    private static func contradicts(_ type: MediaType, _ claim: Claim, database: SharedMIMEDatabase) -> Bool {
        if type == .empty {
            return claim.contentClasses.isDisjoint(with: [.text, .html]) && !claim.types.contains(.empty)
        }
        let isKin = claim.types.contains { database.conforms($0, to: type) || database.conforms(type, to: $0) }
        if isKin { return false }
        let found = ContentClass(of: type)
        return claim.contentClasses.allSatisfy { !isCompatible(found, $0) }
    }

    private static func isCompatible(_ found: ContentClass, _ claimed: ContentClass) -> Bool {
        // `other` has types that fit no class, so it contradicts nothing.
        if found == claimed || found == .other || claimed == .other { return true }
        return compatible.contains { ($0.0 == found && $0.1 == claimed) || ($0.0 == claimed && $0.1 == found) }
    }
}
