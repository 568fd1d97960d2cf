internal import ShareModel

/// The conclusions that a claim may refine, and how.
///
/// A claim may refine a conclusion only if the bytes are the same for several types, so that nothing in them
/// distinguishes these. Most archives and OLE files do not qualify: their type shows inside, so a claim that does not
/// match is false. Unrecognized bytes can be of a type that no rule recognizes; see ``UnsignedTypes``.
struct ClaimFamilies {
    let database: SharedMIMEDatabase

    /// Whether a claim refines a conclusion.
    enum Refinement: Hashable {
        case never
        case always
        /// The bytes say nothing, so the conclusion is a guess.
        case guess
        /// Only if the text has a feature that any text of that class has.
        case withTrace(ContentClass)
    }

    /// The conclusions that a claim may refine, by canonical name. The claim must be a subtype in the same class.
    private static let rough: Set<MediaType> = [
        .plainText, "application/xml", .json, "message/rfc822",
        // Raw photographs are TIFF files with tags of the camera's maker (DNG 1.6, chapter 2), which libmagic does not
        // read.
        "image/tiff",
    ]

    /// Text types that a claim cannot give to plain text. The inspectors recognize each by its beginning or its
    /// grammar, so text that they do not recognize has another type. The same holds for subtypes.
    private static let provable: [MediaType] = [
        .json, "application/xml", "text/vcard", "text/calendar", "text/vtt", "application/x-subrip",
        "application/pgp-keys", "application/pgp-signature", "application/pgp-encrypted", "text/x-gettext-translation",
        "text/x-ssa", "application/x-gedcom",
    ]

    /// Containers whose class depends on the content, with the types that they can contain.
    private static let containers: [MediaType: Set<MediaType>] = [
        // RFC 5334, section 10.1: this type is for content that is neither only audio nor only video.
        "application/ogg": [
            "audio/ogg", "video/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/x-speex+ogg",
            "audio/x-flac+ogg", "video/x-theora+ogg", "video/x-ogm+ogg",
        ],
        // Advanced Systems Format, revision 01.20.06, section 2: `.wma` and `.wmv` files have the same structure.
        "application/vnd.ms-asf": ["audio/x-ms-wma", "video/x-ms-wmv"],
        "application/x-matroska": ["audio/x-matroska", "video/x-matroska"],
        // Templates of StarOffice and OpenOffice 1 differ from documents only in their names.
        "application/vnd.sun.xml.writer": ["application/vnd.sun.xml.writer.template"],
        "application/vnd.sun.xml.calc": ["application/vnd.sun.xml.calc.template"],
        "application/vnd.sun.xml.draw": ["application/vnd.sun.xml.draw.template"],
        "application/vnd.sun.xml.impress": ["application/vnd.sun.xml.impress.template"],
        // Both are images of a file system that `squashfs` reads.
        "application/vnd.squashfs": ["application/vnd.snap"],
        // The bytes differ in a word, but PowerPoint shows a presentation that is called `.ppsx` as a slide show.
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": [
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow"
        ],
        // KOffice 1.0 and 1.1 compressed a tar file; the others compress their own format.
        "application/gzip": [
            "application/x-kword", "application/x-kspread", "application/x-kpresenter", "application/x-gnumeric",
            "application/x-dia-diagram", "application/x-blender",
        ],
        // The manifests are the same; the older programs take the older ending.
        "application/msix": ["application/appx"], "application/msixbundle": ["application/appxbundle"],
        // The mark of color is also that of games that run on both consoles.
        "application/x-gameboy-color-rom": ["application/x-gameboy-rom"],
        // The type that libmagic concludes for a package of iWork '13 and later if it sees no details.
        "application/vnd.apple.unknown.13": [
            "application/vnd.apple.pages", "application/vnd.apple.numbers", "application/vnd.apple.keynote",
        ],
    ]

    /// Whether a claim of one type refines a conclusion.
    func refinement(of type: MediaType, by claim: MediaType) -> Refinement {
        let (base, claim) = (database.canonical(type), database.canonical(claim))
        guard claim != base, !ClaimKin.mute.contains(claim) else { return .never }
        if let finer = Self.containers[base] { return finer.contains(claim) ? .always : .never }
        guard Self.rough.contains(base), database.conforms(claim, to: base) else { return .never }
        if base == .plainText, isProvable(claim) { return .never }
        let claimed = ContentClass(of: claim)
        if claimed == ContentClass(of: base) { return .always }
        return base == .plainText ? .withTrace(claimed) : .never
    }

    /// Whether plain text refutes the claims: each claimed type has required features, and the text lacks them.
    func isRefuted(_ claims: [MediaType], by type: MediaType) -> Bool {
        type == .plainText && !claims.isEmpty && claims.allSatisfy(isProvable)
    }

    private func isProvable(_ type: MediaType) -> Bool {
        Self.provable.contains { database.conforms(type, to: $0) }
    }
}
