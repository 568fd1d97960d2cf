extension ContentClass {
    /// The broad class of a type:
    /// - Source code, data in text form and subtitles are `text`.
    /// - E-books and rich text are `office`.
    /// - Saved pages are `html`, except MHTML, which is `mail`.
    /// - Unknown types, and types that fit no class, are `other`.
    package init(of type: MediaType) {
        let name = type.description
        if let known = Self.byType[name] {
            self = known
        } else if let row = Self.byPrefix.first(where: { name.hasPrefix($0.prefix) }) {
            self = row.contentClass
        } else if let row = Self.bySuffix.first(where: { name.hasSuffix($0.suffix) }) {
            self = row.contentClass
        } else {
            self = .other
        }
    }

    /// Types whose class does not follow from their top-level type or subtype.
    private static let byType: [String: ContentClass] = {
        var table: [String: ContentClass] = [:]
        for (contentClass, names) in members {
            for name in names { table[name.contains("/") ? name : "application/\(name)"] = contentClass }
        }
        return table
    }()

    /// Prefixes of types; the first match counts.
    private static let byPrefix: [(prefix: String, contentClass: ContentClass)] = [
        // The usual ones first; no prefix is that of another one.
        ("image/", .image), ("audio/", .audio), ("video/", .video), ("font/", .font), ("text/", .text),
        ("message/", .mail), ("multipart/", .mail),
        ("application/vnd.openxmlformats-officedocument.", .office),
        ("application/vnd.oasis.opendocument.", .office), ("application/vnd.sun.xml.", .office),
        ("application/vnd.ms-word", .office), ("application/vnd.ms-excel", .office),
        ("application/vnd.ms-powerpoint", .office), ("application/vnd.ms-visio", .office),
        ("application/vnd.stardivision.", .office), ("application/x-iwork-", .office),
        ("application/vnd.apple.iwork", .office), ("application/x-font-", .font), ("application/font-", .font),
        ("application/vnd.ms-package.", .other), ("application/x-web-app", .text),
    ]

    private static let bySuffix: [(suffix: String, contentClass: ContentClass)] = [
        ("+xml", .text), ("+json", .text), ("+yaml", .text), ("+zip", .archive), ("+gzip", .archive),
        ("-compressed-tar", .archive), ("+cbor", .other),
    ]

    /// Subtypes of `application`, unless a name has a slash.
    private static let members: [(ContentClass, [String])] = [
        // Since version 9, the files of Illustrator are PDF files.
        (.pdf, ["pdf", "x-pdf", "acrobat", "illustrator", "vnd.fdf"]),
        (
            .image,
            ["postscript", "photoshop", "x-photoshop", "x-krita", "x-xcf", "x-wpg", "x-navi-animation"]
        ),
        (
            .link,
            [
                "x-webloc", "x-mswinurl", "internet-shortcut", "x-url", "x-desktop", "x-ms-shortcut", "x-mslnk",
                "x-win-lnk", "lnk", "text/uri-list", "text/x-uri",
            ]
        ),
        (
            .html,
            [
                "text/html", "xhtml+xml", "x-webarchive", "x-bplist-webarchive",
            ]
        ),
        (
            .text,
            [
                "json", "xml", "javascript", "ecmascript", "x-javascript", "typescript", "toml", "yaml", "x-yaml",
                "sql",
                "x-ndjson", "jsonl", "x-subrip", "x-tex", "x-latex", "x-sh", "x-shellscript", "x-csh", "x-perl",
                "x-php",
                "x-ruby", "x-python", "x-awk", "x-bat", "x-smali", "x-plist", "x-pem-file", "pgp-keys",
                "pgp-signature", "x-wine-extension-ini", "x-texinfo", "x-troff", "x-troff-man",
                "x-m4", "x-glade", "x-gtk-builder", "x-designer", "x-java-jnlp-file", "x-gedcom", "x-dia-shape",
                "x-nzb", "vnd.apple.mpegurl", "vnd.ms-wpl", "x-spss-por",
                "x-sami", "x-powershell", "x-applescript", "x-netshow-channel", "x-ccmx", "x-ruby-script", "graphql",
                "x-httpd-php", "x-x509-cert", "vnd.coffeescript",
                "vnd.chess-pgn", "x-chess-pgn", "x-go-sgf", "x-fishscript", "xml-dtd",
                "csv",
            ]
        ),
        (
            .mail,
            [
                "mbox", "x-foxmail", "vnd.ms-tnef", "ms-tnef", "vnd.ms-outlook", "x-msg", "vnd.ms-outlook-pst",
                "x-ms-pst",
                "x-mimearchive",
                "text/x-mail", "text/x-mht",
            ]
        ),
        (
            .office,
            [
                // `encrypted` is an encrypted office document (`OLEInspector`). `vnd.apple.unknown.13` is libmagic's
                // name for iWork.
                "msword", "x-msword", "rtf", "text/rtf", "msexcel", "x-msexcel", "mspowerpoint", "epub+zip",
                "vnd.visio", "x-ole-storage", "cdfv2", "encrypted", "x-mspublisher", "vnd.ms-publisher", "vnd.ms-works",
                "vnd.ms-project", "vnd.ms-htmlhelp", "x-chm", "onenote", "vnd.apple.pages", "vnd.apple.numbers",
                "vnd.apple.keynote", "vnd.apple.unknown.13", "vnd.wordperfect", "vnd.lotus-wordpro",
                "vnd.ms-spreadsheetml", "vnd.mif", "x-mif", "x-pocket-word",
                "vnd.scribus", "hwp+zip", "x-karbon", "x-kword", "x-kspread", "x-kpresenter", "x-kivio", "x-kontour",
                "x-kchart", "x-kformula",
                "x-kugar",
                "x-adobe-indesign", "x-indesign", "vnd.ms-xpsdocument", "oxps", "x-abiword", "x-mobipocket-ebook",
                "x-scribus", "vnd.corel-draw", "x-hwp", "x-fictionbook+xml", "vnd.amazon.ebook", "x-pages",
                "x-quattropro", "x-msbinder", "x-pagemaker", "vnd.ms-officetheme", "x-ibooks+zip",
                "vnd.adobe.indesign-idml-package", "vnd.xmind.workbook", "vnd.bohemian.sketch",
                "vnd.lotus-1-2-3", "x-quattro-pro", "vnd.quark.quarkxpress", "winhlp", "x-ms-reader", "x-mswrite",
                "x-sony-bbeb", "x-palm-database", "x-aportisdoc", "x-corelpresentations", "x-appleworks-document",
                "x-appleworks", "andrew-inset", "x-dvi",
            ]
        ),
        (
            .archive,
            [
                "zip", "gzip", "x-gzip", "x-bzip", "x-bzip2", "x-xz", "zstd", "x-zstd", "x-lz4", "x-lzip", "x-lzma",
                "x-lzop", "x-compress", "x-tarz", "x-tar", "x-7z-compressed", "x-rar", "x-rar-compressed", "vnd.rar",
                "x-ace", "x-ace-compressed", "zlib",
                "x-lha", "x-lzh-compressed", "x-arj", "x-cpio", "x-archive", "x-ar", "vnd.debian.binary-package",
                "x-debian-package", "x-rpm", "x-xar", "x-stuffit", "x-apple-diskimage", "x-iso9660-image",
                "x-cd-image", "vnd.ms-cab-compressed", "java-archive", "x-java-archive",
                "vnd.android.package-archive", "warc", "vnd.xara", "vnd.comicbook+zip", "vnd.comicbook-rar",
                "x-cbr", "x-cbz", "x-snappy-framed", "x-brotli", "vnd.apple.pkpass", "vnd.google-earth.kmz",
                "vnd.apple.installer+xml", "x-xpinstall", "x-chrome-extension",
                "x-itunes-ipa", "msix", "vsix", "wacz", "x-zoo", "x-alz", "x-zpaq", "x-par2", "x-lrzip",
                "x-stuffitx", "x-installshield", "vnd.squashfs", "x-ms-wim", "vnd.openofficeorg.extension",
                "vnd.openofficeorg.autotext",
                "x-arc", "x-internet-archive", "x-ia-arc", "vnd.flatpak", "x-compressed-iso", "x-qpress",
                "x-java-pack200",
                "x-freeze", "x-squashfs", "x-rzip", "x-lzfse", "x-lhz", "x-sit", "x-svr4-package", "x-sv4cpio",
                "x-sv4crc", "x-bcpio",
                "x-ms-compress-szdd", "x-ms-compress-kwaj", "x-ms-compress-sz", "x-zip-compressed-fb2", "x-dar",
                "x-qemu-disk", "x-vmdk-disk", "x-vdi-disk", "x-vhdx-disk", "vnd.efi.iso", "vnd.snap",
            ]
        ),
        (.audio, ["vnd.smaf", "x-smaf", "ogg", "x-oggflac", "vnd.rn-realaudio"]),
        (.video, ["mxf", "gxf", "x-matroska", "mp4", "vnd.rn-realmedia", "vnd.ms-asf"]),
        (
            .font,
            [
                "x-tex-tfm", "x-tex-pk", "x-tex-gf", "x-dfont", "vnd.font-fontforge-sfd", "vnd.ms-fontobject",
                "vnd.ms-opentype", "font-sfnt", "font-woff",
            ]
        ),
        (
            .binary,
            [
                "x-executable", "x-pie-executable", "x-sharedlib", "x-object", "x-coredump", "x-mach-binary",
                "x-msdownload", "vnd.microsoft.portable-executable", "x-dosexec", "x-ms-dos-executable", "x-msi",
                "java-vm", "x-java",
                "x-java-applet", "wasm", "x-python-bytecode", "x-bytecode.python", "vnd.tcpdump.pcap", "x-pcapng",
                "x-pytorch", "x-apple-ds_store", "x-ms-ne-executable", "vnd.android.dex",
            ]
        ),
        (.other, ["octet-stream", "x-empty", "image/vnd.dwg"]),
    ]
}
