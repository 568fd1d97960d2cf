internal import ShareModel

/// Types that senders confuse in good faith. A warning about them would be noise.
struct ClaimKin {
    let database: SharedMIMEDatabase

    /// Families of types; a claim may name any member instead of another.
    private static let families: [Set<MediaType>] = [
        // RFC 3236 and common practice on the web: XHTML is served and named as HTML.
        [.html, "application/xhtml+xml"],
        // Property lists have an XML form and a binary form, with the same names.
        ["application/x-plist", "application/x-bplist"],
        // Manual pages are written in troff.
        ["text/troff", "application/x-troff-man"],
        // RFC 7468: keys and certificates have the same armor, and are named after the content.
        [
            "application/x-pem-file", "application/x-x509-ca-cert", "application/pkix-cert", "application/pkcs8",
            "application/x-pem-key", "application/pkcs10", "application/pkix-crl", "application/pkcs7-mime",
            "application/pgp-keys", "application/pkcs7-signature", "application/x-pkcs7-certificates",
        ],
    ]

    /// For a type, the other types whose files have its name. A sender that takes the type from the name declares the
    /// wrong one.
    private static let namesakes: [MediaType: Set<MediaType>] = [
        // Certificate authorities and servers name private keys `*.key`.
        "application/vnd.apple.keynote": ["application/x-pem-file", "application/pgp-keys"],
        // Public keys of SSH, and of PEM.
        "application/vnd.ms-publisher": [.plainText, "application/x-pem-file"],
        // Sports watches name their activities like pictures of the sky.
        "image/fits": ["application/vnd.ant.fit"],
        // Old and new programs name different compressed files `*.z`.
        "application/x-compress": ["application/zlib"],
        // Subtitles in pictures, beside those in text.
        "text/x-microdvd": ["video/mpeg"],
        // Scripts of the linker, and links that an archive stored as text.
        "application/x-sharedlib": [.plainText],
        // Descriptions of hardware in text form.
        "audio/vnd.dts": [.plainText],
        // Music of the Amiga, and the requirements of a program in Go.
        "audio/x-mod": [.plainText],
        // Two kinds of pictures of workstations.
        "image/x-cmu-raster": ["image/x-sun-raster"],
        // Reports of crashes on Apple's systems.
        "application/x-ips-patch": ["application/x-ndjson", .json],
        // Models and their materials are text without a signature.
        "model/obj": [.plainText], "model/mtl": [.plainText],
        // The first tag of a component is that of a page.
        "text/x-vue": [.html],
        // A log may be a page.
        "text/x-log": [.html],
    ]

    /// Types by names that programs give to text of any syntax: logs, settings, themes, and subtitles or other data.
    private static let loose: Set<MediaType> = [
        "text/x-log", "text/x-ini", "application/x-theme", "text/x-microdvd", "text/x-mpsub", "text/x-subviewer",
    ]

    /// Types with the suffix of their syntax (RFC 6839). They are also of that syntax, even if no database knows them.
    private static let suffixes: [MediaType: String] = ["application/xml": "+xml", "application/json": "+json"]

    /// Compressed files. Their content is not inspected, so any claim about it is acceptable.
    private static let sealed: [MediaType] = [
        "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-compress",
        "application/x-lzma", "application/x-lz4",
    ]

    /// Pairs of types. A claim of the first, or of a subtype, may stand for the second and its subtypes.
    private static let lineages: [(claim: MediaType, type: MediaType)] =
        sealed.map { ($0, $0) } + [
            // XML and HTML come from SGML, and have its names.
            ("text/sgml", .html), ("text/sgml", "application/xml"),
        ]

    /// Types by names that say nothing about the content: those of backups.
    static let mute: Set<MediaType> = ["application/x-trash"]

    /// Whether one of the claimed types may stand for the concluded one, although neither is a subtype of the other.
    func fits(_ claims: [MediaType], _ type: MediaType) -> Bool {
        claims.contains { claim in
            if Self.mute.contains(claim) || Self.families.contains(where: { $0.contains(claim) && $0.contains(type) }) {
                return true
            }
            if Self.namesakes[claim]?.contains(type) == true { return true }
            if Self.loose.contains(claim), ContentClass(of: type) == .text { return true }
            if let suffix = Self.suffixes[claim], type.subtype.hasSuffix(suffix) { return true }
            return Self.lineages.contains {
                database.conforms(claim, to: $0.claim) && database.conforms(type, to: $0.type)
            }
        }
    }
}
