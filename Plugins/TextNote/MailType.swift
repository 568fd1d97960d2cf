import CGMime

/// What a part of a mail says about its type.
struct MailType {
    /// The type in lower case, such as `text/plain`.
    let name: String
    /// The encoding of its text.
    let charset: String?
    private let sealing: String?

    init(_ object: UnsafeMutablePointer<GMimeObject>) {
        func parameter(_ name: String) -> String? {
            g_mime_object_get_content_type_parameter(object, name).map { String(cString: $0) }
        }
        charset = parameter("charset")
        sealing = parameter("smime-type")?.lowercased()
        // RFC 2045, section 5.2: a type that is none is plain text.
        let isType = g_mime_object_get_header(object, "Content-Type").map { String(cString: $0).contains("/") } ?? true
        guard isType, let type = g_mime_object_get_content_type(object),
            let owned = g_mime_content_type_get_mime_type(type)
        else {
            name = "text/plain"
            return
        }
        defer { g_free(owned) }
        name = String(cString: owned).lowercased()
    }

    /// Whether the part has words that belong to the mail.
    var isText: Bool {
        if ["text/rtf", "text/x-uuencode", "text/css", "text/javascript"].contains(name) { return false }
        // Messages are no parts, but reports about them are: of their delivery, of their receipt, of abuse.
        return name.hasPrefix("text/") || name.hasPrefix("message/") || name == "application/xhtml+xml"
    }

    /// Whether the part is S/MIME that only its receiver can read.
    var isEncryptedMessage: Bool {
        isCMS && sealing != "signed-data" && sealing != "certs-only" && sealing != "compressed-data"
    }

    /// Whether the part is S/MIME with its text inside.
    var isSignedMessage: Bool { isCMS && sealing == "signed-data" }

    /// Whether the part proves another one, and has nothing for a reader.
    var isSignature: Bool {
        ["application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"].contains(name)
    }

    private var isCMS: Bool { name == "application/pkcs7-mime" || name == "application/x-pkcs7-mime" }
}
