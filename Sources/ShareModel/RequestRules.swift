/// A header of a request or an answer.
package struct HeaderField: Codable, Sendable, Hashable {
    /// Of an answer, in lower case.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// What a request may say. The parts come from sinks.
package enum RequestRules {
    /// The headers of a request, and of an answer, in bytes.
    package static let headerBytes = 16 << 10

    /// Headers that the transfer process writes itself, or that change how the request is framed or whom it reaches.
    private static let reserved: Set<String> = [
        "accept-encoding", "authorization", "connection", "content-length", "cookie", "expect", "host", "if-range",
        "keep-alive", "range", "te",
        "trailer",
        "transfer-encoding", "upgrade", "user-agent",
    ]

    /// Why a method cannot be used; `nil` if it can.
    package static func fault(method: String) -> String? {
        let isWord = (1...20).contains(method.utf8.count) && method.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        // One makes a tunnel, and the other one shows the credential.
        guard isWord, !["CONNECT", "TRACE"].contains(method) else {
            return "its method '\(method.prefix(40))' cannot be used"
        }
        return nil
    }

    /// In bytes.
    package static let urlBytes = 4_096

    /// Why a URL cannot be used, before it is read; `nil` if it may.
    package static func fault(url: String) -> String? {
        guard url.utf8.count <= urlBytes, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return
                "'\(url.prefix(100))' is no URL that can be called; it must be ASCII, and have at most \(urlBytes) bytes"
        }
        let steps = url.prefix { !"?#".contains($0) }.split(separator: "/")
        guard !steps.contains(where: { [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."].contains($0.lowercased()) }) else {
            return "its URL has a step '.' or '..'"
        }
        return nil
    }

    /// Why headers cannot be used; `nil` if they can.
    package static func fault(headers: [HeaderField]) -> String? {
        var bytes = 0
        for header in headers {
            let name = header.name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
                return "its header '\(header.name.prefix(40))' has a name that is none"
            }
            guard !reserved.contains(name), !name.hasPrefix("proxy-") else {
                return "its header '\(name)' is not a sink's to set; the host sets it"
            }
            guard !header.value.trimmed.isEmpty else { return "its header '\(name)' is empty" }
            // A line feed would begin another header.
            guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                return "its header '\(name)' has a control character"
            }
            bytes += header.name.utf8.count + header.value.utf8.count + 4
        }
        guard bytes <= headerBytes else {
            return "its headers have \(bytes) bytes; \(headerBytes) are allowed"
        }
        return nil
    }

    /// A character of a token (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
