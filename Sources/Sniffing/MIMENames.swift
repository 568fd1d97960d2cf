/// What the shared MIME database does not say of the names that libmagic, senders and servers use.
///
/// An alias that the database knows is left to it.
enum MIMENames {
    /// Another name for a type, and the type.
    static let aliases = [
        // libmagic's
        "application/vnd.microsoft.portable-executable": "application/x-ms-dos-executable",
        "application/vnd.ms-package.3dmanufacturing-3dmodel+xml": "model/3mf",
        "application/vnd.ms-opentype": "font/otf", "application/x-ace-compressed": "application/x-ace",
        "application/x-bytecode.python": "application/x-python-bytecode",
        "application/x-dosexec": "application/x-ms-dos-executable", "application/x-hdf5": "application/x-hdf",
        "application/x-java-applet": "application/x-java", "audio/vnd.dolby.dd-raw": "audio/ac3",
        "audio/x-hx-aac-adts": "audio/aac", "font/sfnt": "font/ttf", "text/x-c++": "text/x-c++src",
        "text/x-php": "application/x-php", "text/x-ruby": "application/x-ruby",
        "text/x-shellscript": "application/x-shellscript",
        // Senders' and servers'
        "application/x-7z": "application/x-7z-compressed",
        "application/x-bplist-webarchive": "application/x-webarchive",
        "application/x-msdownload": "application/x-ms-dos-executable", "application/x-url": "application/x-mswinurl",
        "application/internet-shortcut": "application/x-mswinurl", "application/yaml": "application/x-yaml",
        "audio/wave": "audio/x-wav", "image/jpe": "image/jpeg", "image/jpg": "image/jpeg", "image/svg": "image/svg+xml",
        "image/tif": "image/tiff", "image/x-png": "image/png", "text/json": "application/json",
        "text/x-json": "application/json", "video/mov": "video/quicktime",
    ]

    /// A type, and one that each of its kind also is.
    static let parents = [
        // RFC 2557: a saved page in this form is a mail.
        "application/x-mimearchive": "message/rfc822",
        "application/x-plist": "application/xml",
    ]
}
