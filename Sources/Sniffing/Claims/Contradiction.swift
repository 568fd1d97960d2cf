public import ShareModel

/// When bytes are plainly another thing than every claim, so that another representation deserves the try: an HTML
/// error page declared as JPEG.
public enum Contradiction {
    /// Classes that can be taken for one another, both ways. Everything else, except of the same class, contradicts.
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

    /// Why `type` is plainly another thing than every specific claim, in words; `nil` where it is not, or where no
    /// claim says anything. Content that nobody recognizes contradicts nothing; no content at all contradicts all but
    /// text.
    public static func plainlyContradicts(
        _ type: MediaType, claims: TypeClaims, database: SharedMIMEDatabase = .system
    ) -> String? {
        // What the name says as well, which is the rule.
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
        // "Other" is what fits nowhere: nothing can be said against it.
        if found == claimed || found == .other || claimed == .other { return true }
        return compatible.contains { ($0.0 == found && $0.1 == claimed) || ($0.0 == claimed && $0.1 == found) }
    }
}
