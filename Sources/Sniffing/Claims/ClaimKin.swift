internal import ShareModel

/// Types that are claimed of one another in good faith, so that a warning would cry wolf.
struct ClaimKin {
    let database: SharedMIMEDatabase

    /// Names of one family: either may stand for the other.
    private static let families: [Set<MediaType>] = [
        // RFC 3236 and the habit of the web: XHTML is served and named as HTML.
        [.html, "application/xhtml+xml"],
        // Property lists have a form in XML and one in binary, under the same names.
        ["application/x-plist", "application/x-bplist"],
        // RFC 7468: keys and certificates in the same armor, and named by what is in it.
        [
            "application/x-pem-file", "application/x-x509-ca-cert", "application/pkix-cert", "application/pkcs8",
            "application/x-pem-key", "application/pkcs10", "application/pkix-crl", "application/pkcs7-mime",
            "application/pgp-keys", "application/pkcs7-signature", "application/x-pkcs7-certificates",
        ],
    ]

    /// Compressed files: what they hold is not looked at, so a claim of it is as good as any.
    private static let sealed: [MediaType] = [
        "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-compress",
        "application/x-lzma", "application/x-lz4",
    ]

    /// What names of backups say: nothing of what they are backups of.
    private static let mute: Set<MediaType> = ["application/x-trash"]

    /// Whether a claim of these types fits a conclusion although neither is a kind of the other.
    func fits(_ claims: [MediaType], _ type: MediaType) -> Bool {
        claims.contains { claim in
            if Self.mute.contains(claim) || Self.families.contains(where: { $0.contains(claim) && $0.contains(type) }) {
                return true
            }
            return Self.sealed.contains { database.conforms(type, to: $0) && database.conforms(claim, to: $0) }
        }
    }
}
