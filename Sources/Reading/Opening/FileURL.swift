internal import ShareModel
package import SystemPackage

/// A `file:` URL as a path. RFC 8089.
package enum FileURL {
    /// Why a text names no path.
    package struct Fault: Error {
        package let code: ReadingError.Code
        /// The predicate of a sentence whose subject is the text: `names no file`.
        package let reason: String

        fileprivate init(_ code: ReadingError.Code, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    /// Whether `text` begins like a `file:` URL. The rest is not checked.
    package static func begins(_ text: String) -> Bool {
        // A combining mark may follow, so the bytes are compared.
        String(decoding: text.utf8.prefix(5), as: UTF8.self).lowercased() == "file:"
    }

    /// The path that `text` names, absolute or, after a bare `file:`, relative.
    ///
    /// - Throws: with code `refused` for a host other than `localhost`, and for an encoded slash or NUL, which hides
    ///   the file that is meant; with code `malformed` for anything that is not a `file:` URL, or not a path.
    package static func path(_ text: String) throws(Fault) -> FilePath {
        let bytes = Array(text.utf8)
        guard bytes.count > 5, begins(text) else { throw Fault(.malformed, "is no file URL") }
        var rest = bytes[5...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if rest.starts(with: Array("//".utf8)) {
            let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            let name = String(decoding: host, as: UTF8.self)
            guard name.isEmpty || name.lowercased() == "localhost" else {
                throw Fault(.refused, "names a file on another host, \(name); share the file itself")
            }
            rest = rest.dropFirst(2 + host.count)
        }
        return try path(decoding: rest)
    }

    private static func path(decoding encoded: ArraySlice<UInt8>) throws(Fault) -> FilePath {
        var decoded: [UInt8] = []
        var index = encoded.startIndex
        while index < encoded.endIndex {
            var byte = encoded[index]
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: encoded[index...].dropFirst().prefix(2), as: UTF8.self)
                // `UInt8(_:radix:)` accepts a sign.
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), digits.allSatisfy(\.isHexDigit)
                else { throw Fault(.malformed, "has a '%' without two hexadecimal digits") }
                guard value != 0, value != UInt8(ascii: "/") else {
                    throw Fault(.refused, "hides a slash or a NUL behind '%'")
                }
                byte = value
                index += 2
            }
            // `FilePath` ends at the first NUL, so the path would name another file than the text.
            guard byte != 0 else { throw Fault(.refused, "contains a NUL") }
            decoded.append(byte)
            index += 1
        }
        guard !decoded.isEmpty else { throw Fault(.malformed, "names no file") }
        return FilePath(bytes: decoded)
    }
}
