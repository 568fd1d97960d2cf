internal import ShareModel
package import SystemPackage

/// A `file:` URL as a path. RFC 8089.
package enum FileURL {
    /// Whether `text` begins like a `file:` URL. The rest is not checked.
    package static func begins(_ text: String) -> Bool { text.prefix(5).lowercased() == "file:" }

    /// The path that `text` names, absolute or, after a bare `file:`, relative.
    ///
    /// - Returns: `nil` if `text` is not a `file:` URL.
    /// - Throws: with code `refused` for a host other than `localhost`, and for an encoded slash or NUL, which hides
    ///   the file that is meant; with code `malformed` for anything that is not a path.
    package static func path(_ text: String) throws(ReadingError) -> FilePath? {
        let bytes = Array(text.utf8)
        guard bytes.count > 5, begins(text) else { return nil }
        var rest = bytes[5...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if rest.starts(with: Array("//".utf8)) {
            let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            let name = String(decoding: host, as: UTF8.self)
            guard name.isEmpty || name.lowercased() == "localhost" else {
                throw ReadingError(.refused, "\(text) names a file on another host, \(name); share the file itself")
            }
            rest = rest.dropFirst(2 + host.count)
        }
        return try path(decoding: rest, of: text)
    }

    private static func path(decoding encoded: ArraySlice<UInt8>, of text: String) throws(ReadingError) -> FilePath {
        var decoded: [UInt8] = []
        var index = encoded.startIndex
        while index < encoded.endIndex {
            var byte = encoded[index]
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: encoded[index...].dropFirst().prefix(2), as: UTF8.self)
                // `UInt8(_:radix:)` accepts a sign.
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), digits.allSatisfy(\.isHexDigit)
                else {
                    throw ReadingError(.malformed, "\(text) has a '%' without two hexadecimal digits")
                }
                guard value != 0, value != UInt8(ascii: "/") else {
                    throw ReadingError(.refused, "\(text) hides a slash or a NUL behind '%'")
                }
                byte = value
                index += 2
            }
            // `FilePath` ends at the first NUL, so the path would name another file than the text.
            guard byte != 0 else { throw ReadingError(.refused, "\(text) contains a NUL") }
            decoded.append(byte)
            index += 1
        }
        guard !decoded.isEmpty else { throw ReadingError(.malformed, "\(text) names no file") }
        return FilePath(bytes: decoded)
    }
}
