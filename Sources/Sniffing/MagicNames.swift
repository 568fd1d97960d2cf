internal import ShareModel

/// Corrections of libmagic's names and results.
enum MagicNames {
    /// Maps libmagic's names to the usual names.
    static let own = [
        "inode/x-empty": "application/x-empty",
        "text/xml": "application/xml",
        "text/x-script.python": "text/x-python",
        "application/x-dosexec": "application/vnd.microsoft.portable-executable",
    ]

    /// Types that libmagic concludes from two or three bytes, or from as little structure. The rules here check more of
    /// the structure, and have already rejected it. Random data and numbers often begin with such bytes.
    private static let hasty: Set<MediaType> = [
        "application/gzip", "application/x-compress", "application/x-bzip2", "application/x-cpio", "application/zlib",
        "audio/mpeg", "audio/x-hx-aac-adts", "audio/vnd.dolby.dd-raw", "audio/x-syx", "image/x-atari-degas",
        "application/x-adobe-aco", "application/x-arc", "audio/x-mp4a-latm", "application/x-compress-ttcomp",
        "application/x-tex-tfm", "image/g3fax", "application/vnd.hp-hpgl", "image/x-award-bioslogo",
        "image/x-award-bioslogo2", "image/x-portable-bitmap", "image/x-portable-greymap",
        "image/x-portable-pixmap", .plainText,
    ]
    private static let program: MediaType = "application/vnd.microsoft.portable-executable"

    /// Whether libmagic's conclusion is reliable for bytes that no rule here recognizes.
    static func isTrusted(_ type: MediaType, for start: [UInt8]) -> Bool {
        type == program ? start.has("MZ", at: 0) : !hasty.contains(type)
    }
}
