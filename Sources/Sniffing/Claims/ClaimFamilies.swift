internal import ShareModel

/// Conclusions that are only as good as no better claim, and what a claim can make of them.
///
/// A claim can make a conclusion finer only where the bytes are the same for several types, so that nothing in them
/// tells those apart. Archives and OLE files are not among them: what they are is inside, so a claim without it is a
/// lie; and what nobody recognizes stays unknown.
struct ClaimFamilies {
    let database: SharedMIMEDatabase

    /// When a claim makes a conclusion finer.
    enum Refinement: Hashable {
        case never
        case always
        /// Where the text has what any text of that class must have.
        case withTrace(ContentClass)
    }

    /// By their canonical names: a claim that is a kind of one of these, and of its class, is believed.
    private static let rough: Set<MediaType> = [
        .plainText, "application/xml", .json, "message/rfc822",
        // Raw photographs are TIFF files with their makers' tags (DNG 1.6, chapter 2), which libmagic does not read.
        "image/tiff",
    ]

    /// What text is not where the bytes do not say so: each has a beginning or a grammar that is known here, and so has
    /// whatever conforms to it.
    private static let provable: [MediaType] = [
        .json, "application/xml", "text/vcard", "text/calendar", "text/vtt", "application/x-subrip",
        "application/pgp-keys", "application/pgp-signature", "application/pgp-encrypted", "text/x-gettext-translation",
        "text/x-ssa", "application/x-gedcom",
    ]

    /// Containers that are of one class or another by what they hold, and what they can hold.
    private static let containers: [MediaType: Set<MediaType>] = [
        // RFC 5334, section 10.1: for whatever is neither audio nor video alone.
        "application/ogg": [
            "audio/ogg", "video/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/x-speex+ogg",
            "audio/x-flac+ogg", "video/x-theora+ogg", "video/x-ogm+ogg",
        ],
        // Advanced Systems Format, revision 01.20.06, section 2: `.wma` and `.wmv` are files of the same structure.
        "application/vnd.ms-asf": ["audio/x-ms-wma", "video/x-ms-wmv"],
        "application/x-matroska": ["audio/x-matroska", "video/x-matroska"],
        // libmagic's word for a package of iWork '13 and later of which it saw no more.
        "application/vnd.apple.unknown.13": [
            "application/vnd.apple.pages", "application/vnd.apple.numbers", "application/vnd.apple.keynote",
        ],
    ]

    /// What a claim of one type does to a conclusion.
    func refinement(of type: MediaType, by claim: MediaType) -> Refinement {
        let isGuess = MagicNames.guessedLanguages.contains(type.description)
        let base = isGuess ? MediaType.plainText : database.canonical(type)
        let claim = database.canonical(claim)
        guard claim != base, claim != database.canonical(type) else { return .never }
        if let finer = Self.containers[base] { return finer.contains(claim) ? .always : .never }
        guard Self.rough.contains(base), database.conforms(claim, to: base) else { return .never }
        if base == .plainText, isProvable(claim) { return .never }
        let claimed = ContentClass(of: claim)
        if claimed == ContentClass(of: base) { return .always }
        return base == .plainText ? .withTrace(claimed) : .never
    }

    /// Whether a claim about plain text is refuted: it lacks what it would have to have, although the claimed kind is
    /// text, too.
    func isRefuted(_ claims: [MediaType], by type: MediaType) -> Bool {
        type == .plainText && !claims.isEmpty && claims.allSatisfy(isProvable)
    }

    private func isProvable(_ type: MediaType) -> Bool {
        Self.provable.contains { database.conforms(type, to: $0) }
    }
}
