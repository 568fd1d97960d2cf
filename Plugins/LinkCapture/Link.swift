import Foundation

/// A link that is safe to store and to display.
struct Link: Equatable {
    /// The longest link, in bytes of UTF-8. Browsers and servers have similar limits.
    static let maximumBytes = 8 << 10
    /// The accepted schemes. Each names a place or a person. Other schemes run code (`javascript:`), are content
    /// themselves (`data:`) or name a file on this computer (`file:`).
    static let schemes: Set<String> = ["http", "https", "ftp", "mailto", "tel"]

    /// The link as shared, without surrounding spaces and without the password that a place may have: lists and search show it.
    let original: String
    /// Whether the link has a user or a password.
    let hasCredentials: Bool
    /// The normalized link: scheme and host in lower case, an international host name in ASCII, no default port, no dot
    /// segments, an empty path as `/`, no ``TrackingParameters``. The order of the other parameters and the fragment
    /// stay, because they can change the meaning.
    let normalized: String
    /// The host in ASCII; `nil` if links of this scheme have none.
    let host: String?

    /// The address that is downloaded, without the fragment; `nil` for a link of another kind, and for one that is too long.
    var downloadable: String? {
        guard normalized.hasPrefix("http:") || normalized.hasPrefix("https:"), !hasCredentials else { return nil }
        let address = normalized.prefix { $0 != "#" }
        return address.utf8.count <= Self.maximumDownloadBytes ? String(address) : nil
    }

    /// The longest address of a request, in bytes; the sink protocol has this limit.
    private static let maximumDownloadBytes = 4_096

    /// - Throws: ``LinkRefusal`` with a reason that people can read.
    init(_ text: String) throws(LinkRefusal) {
        let original = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard original.utf8.count <= Self.maximumBytes else {
            throw LinkRefusal(why: "the link is longer than \(Self.maximumBytes) bytes")
        }
        guard !original.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw LinkRefusal(why: "the link contains control characters")
        }
        let scheme = original.prefix { $0 != ":" }.lowercased()
        guard Self.schemes.contains(scheme) else {
            throw LinkRefusal(why: Self.refusal(of: scheme, in: original))
        }
        guard var parts = URLComponents(string: original, encodingInvalidCharacters: true) else {
            throw LinkRefusal(why: "it is not a valid link")
        }
        parts.scheme = scheme
        if ["mailto", "tel"].contains(scheme) {
            host = nil
        } else {
            host = try Self.normalizePlace(of: &parts)
        }
        let isPlace = host != nil
        hasCredentials = isPlace && (parts.percentEncodedUser != nil || parts.percentEncodedPassword != nil)
        let hasPassword = isPlace && parts.percentEncodedPassword != nil
        if hasPassword { parts.percentEncodedPassword = nil }
        guard let string = parts.string else { throw LinkRefusal(why: "it is not a valid link") }
        normalized = string
        self.original = hasPassword ? string : original
    }

    private static func refusal(of scheme: String, in link: String) -> String {
        guard link.contains(":"), !scheme.isEmpty else { return "it has no scheme, such as https" }
        return "links of the scheme \(scheme.prefix(40)) are not captured"
    }

    /// Normalizes host, port, path and query; returns the host.
    private static func normalizePlace(of parts: inout URLComponents) throws(LinkRefusal) -> String {
        guard let host = parts.encodedHost?.lowercased(), !host.isEmpty else {
            throw LinkRefusal(why: "the link names no host")
        }
        parts.encodedHost = host
        if let port = parts.port, port == ["http": 80, "https": 443, "ftp": 21][parts.scheme ?? ""] {
            parts.port = nil
        }
        parts.percentEncodedPath = withoutDotSegments(parts.percentEncodedPath)
        parts.percentEncodedQuery = parts.percentEncodedQuery.flatMap(TrackingParameters.removed(from:))
        return host
    }

    /// Removes dot segments from an absolute path. RFC 3986, section 5.2.4.
    static func withoutDotSegments(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        // A path that ends in a dot segment names a folder, so it keeps its slash at the end.
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}

/// Query parameters with which newsletters and advertisements track their readers.
enum TrackingParameters {
    /// The names that the vendors document.
    static let names: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "li_fat_id",
        "igshid", "igsh", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "vero_id",
    ]
    /// The prefix of Google Analytics' campaign parameters.
    static let prefix = "utm_"

    /// The query without these parameters, otherwise unchanged; `nil` if no parameter remains.
    static func removed(from query: String) -> String? {
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = parameters.filter { parameter in
            let name = parameter.prefix { $0 != "=" }.lowercased()
            return !names.contains(name) && !name.hasPrefix(prefix)
        }
        guard kept.count < parameters.count else { return query }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }
}
