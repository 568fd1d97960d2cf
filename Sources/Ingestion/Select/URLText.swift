internal import Reading

/// Whether a text is a URL and nothing else.
enum URLText {
    /// The length of the longest URL that text or data is searched for, in bytes.
    static let limit = 16 << 10
}

extension String {
    var isFileURL: Bool { utf8.count > 5 && FileURL.begins(self) && !contains(where: \.isNewline) }

    /// Whether it is a web address and nothing else: `http` or `https`, a host, no white space. RFC 3986.
    var isWebURL: Bool {
        guard utf8.count <= URLText.limit, let colon = firstIndex(of: ":") else { return false }
        let scheme = self[..<colon].lowercased()
        let rest = self[colon...].dropFirst()
        guard scheme == "http" || scheme == "https", rest.hasPrefix("//"), !contains(where: \.isWhitespace) else {
            return false
        }
        return rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }.isEmpty == false
    }

    /// Whether it begins with a URL's scheme and has no white space. RFC 3986, section 3.1.
    var hasScheme: Bool {
        guard let colon = firstIndex(of: ":"), let first, first.isLetter, first.isASCII else { return false }
        return self[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
            && !contains(where: \.isWhitespace)
    }
}
