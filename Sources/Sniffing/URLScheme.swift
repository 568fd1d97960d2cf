/// The scheme of a URL: RFC 3986, section 3.1.
enum URLScheme {
    /// Whether the text begins with a scheme and a colon. The schemes in use have at most 32 letters.
    static func begins(_ text: some StringProtocol) -> Bool {
        let bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let first = bytes.first, first.isLetter else { return false }
        let scheme = bytes.prefix(33).prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
        return bytes.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }
}
