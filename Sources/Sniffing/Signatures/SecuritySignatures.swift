internal import ShareModel

/// Keys, certificates and signatures in binary form: X.509 (RFC 5280, 4.1) and PKCS #12 (RFC 7292, 4) in DER, CMS (RFC
/// 5652, 3) in BER, OpenPGP packets (RFC 9580, 4.2 and 5), Java key stores, KeePass 2, AxCrypt.
enum SecuritySignatures {
    static let all: [Signature] = [
        Signature("X.509 certificate", "application/pkix-cert", [0x30, 0x82]) { DERHeader.isCertificate($0.start) },
        Signature("list of revoked certificates", "application/pkix-crl", [0x30]) {
            DERHeader.isRevocationList($0.start)
        },
        Signature("PKCS #12", "application/x-pkcs12", [0x30, 0x82]) { DERHeader.isPersonalStore($0.start) },
        Signature("PKCS #12", "application/x-pkcs12", [0x30, 0x81]) { DERHeader.isPersonalStore($0.start) },
        Signature("PKCS #12", "application/x-pkcs12", [0x30, 0x80]) { DERHeader.isPersonalStore($0.start) },
        Signature("CMS, enveloped", "application/pkcs7-mime", [0x30]) { DERHeader.isMessage($0.start, kind: 3) },
        // A detached signature is signed data too, so it comes first.
        Signature("CMS, detached", "application/pkcs7-signature", [0x30]) { DERHeader.isDetached($0.start) },
        Signature("CMS, signed", "application/pkcs7-mime", [0x30]) { DERHeader.isMessage($0.start, kind: 2) },
        Signature("CMS, compressed", "application/pkcs7-mime", [0x30]) { DERHeader.isContent($0.start, kind: 9) },
        Signature("time stamped data", "application/timestamped-data", [0x30]) {
            DERHeader.isContent($0.start, kind: 31)
        },
        Signature("path of certificates", "application/pkix-pkipath", [0x30, 0x82]) { sample in
            sample.start.big(4, 2) == 0x3082 && sample.start.big(8, 2) == 0x3082
                && DERHeader.isCertificate(Array(sample.start.dropFirst(4)))
        },
        Signature("OpenPGP key", "application/pgp-keys", [0x99]) { OpenPGPPacket.isKey($0.start) },
        Signature("OpenPGP key", "application/pgp-keys", [0x98]) { OpenPGPPacket.isKey($0.start) },
        Signature("OpenPGP secret key", "application/pgp-keys", [0x95]) { OpenPGPPacket.isKey($0.start) },
        Signature("OpenPGP secret key", "application/pgp-keys", [0x94]) { OpenPGPPacket.isKey($0.start) },
        Signature("OpenPGP message", "application/pgp-encrypted", [0x85]) { OpenPGPPacket.isSessionKey($0.start) },
        Signature("OpenPGP message", "application/pgp-encrypted", [0x84]) { OpenPGPPacket.isSessionKey($0.start) },
        Signature("OpenPGP signature", "application/pgp-signature", [0x89]) { OpenPGPPacket.isSignature($0) },
        Signature("OpenPGP signature", "application/pgp-signature", [0x88]) { OpenPGPPacket.isSignature($0) },
        Signature("Java key store", "application/x-java-keystore", [0xFE, 0xED, 0xFE, 0xED]) { sample in
            sample.start.big(4, 4).isIn(1...2)
        },
        Signature("Java key store, JCE", "application/x-java-jce-keystore", [0xCE, 0xCE, 0xCE, 0xCE]) { sample in
            sample.start.big(4, 4).isIn(1...2)
        },
        Signature(
            "AxCrypt", "application/x-axcrypt",
            [0xC0, 0xB9, 0x07, 0x2E, 0x4F, 0x93, 0xF1, 0x46, 0xA0, 0x15, 0x79, 0x2C, 0xA1, 0xD9, 0xE8, 0x21]),
        Signature("KeePass 1", "application/x-keepass", [0x03, 0xD9, 0xA2, 0x9A, 0x65, 0xFB, 0x4B, 0xB5]),
        Signature("age", "application/x-age-encryption", "age-encryption.org/v1\n-> ", isText: true),
        Signature("KeePass 2", "application/x-keepass2", [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5]),
    ]
}
