internal import Formats
internal import ShareModel

/// Recognizes keys and certificates behind explanatory text (RFC 7468, sections 2 and 5.2). The armor ends the text.
///
/// Text that only shows such armor goes on behind it, or indents it. Other kinds of text can also end with it, and a
/// name shows them.
struct ArmorInspector: Inspector {
    let starts: Set<MediaType> = [.plainText]
    let concludes: Set<MediaType> = ["application/x-pem-file"]

    /// The longest last line, in bytes, with the line ends after it.
    private static let lineLimit = 96
    private static let dashes = 5

    /// The labels of RFC 7468 (sections 4 to 13), of OpenSSL (`pem.h`) and of OpenSSH (`PROTOCOL.key`). Text that
    /// OpenPGP signed also ends with armor.
    private static let labels: Set<String> = [
        "CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE", "TRUSTED CERTIFICATE", "ATTRIBUTE CERTIFICATE",
        "CERTIFICATE CHAIN", "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST", "X509 CRL", "CRL",
        "PKCS7", "PKCS #7 SIGNED DATA", "CMS",
        "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "ANY PRIVATE KEY", "RSA PRIVATE KEY", "DSA PRIVATE KEY",
        "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY", "DSA PUBLIC KEY", "ECDSA PUBLIC KEY",
        "DH PARAMETERS", "X9.42 DH PARAMETERS", "DSA PARAMETERS", "EC PARAMETERS", "PARAMETERS",
        "SSL SESSION PARAMETERS",
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let text = try sample.text() else { return nil }
        guard let label = try Self.label(of: Self.ending(text, sample)) else { return nil }
        let first = Array("\n-----BEGIN \(label)-----".utf8)
        guard let place = ByteSearch.first(first, in: text.bytes[...]),
            Self.isEncoded(TextLines(text.bytes, from: place + 1).dropFirst())
        else { return nil }
        sample.possible = [.plainText]
        return Finding("application/x-pem-file", Evidence("words", "PEM at the end", at: Int64(place + 1)), .guessed)
    }

    /// The last bytes of the text.
    private static func ending(_ text: TextHead, _ sample: Sample) throws -> ArraySlice<UInt8> {
        if text.isWhole { return text.bytes.suffix(lineLimit) }
        let start = sample.content.size - Int64(lineLimit)
        return try sample.content.read(at: start, count: lineLimit)[...]
    }

    /// The label in the last line; `nil` if the line does not end the armor of a key or certificate.
    private static func label(of ending: ArraySlice<UInt8>) -> String? {
        let end = ending.trimmed
        guard end.suffix(dashes).elementsEqual("-----".utf8), let line = end.split(separator: 0x0A).last,
            line.begins(with: "-----END ")
        else { return nil }
        let label = String(decoding: line.dropFirst(9).dropLast(dashes), as: UTF8.self)
        return labels.contains(label) ? label : nil
    }

    /// Whether the lines up to the end of the armor are base64, behind the header of an encrypted key (RFC 1421,
    /// section 4.4).
    private static func isEncoded(_ lines: some Sequence<ArraySlice<UInt8>>) -> Bool {
        let body = lines.prefix { !$0.begins(with: "-----END ") }.drop { $0.contains(UInt8(ascii: ":")) }
        return body.contains { !$0.isEmpty } && body.allSatisfy(\.trimmed.isBase64)
    }
}
