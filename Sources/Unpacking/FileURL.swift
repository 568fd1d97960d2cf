internal import ShareModel
public import SystemPackage

/// A `file:` URL as a path. RFC 8089.
public enum FileURL {
    /// Whether `text` begins as a `file:` URL does; what follows may still make no sense.
    public static func begins(_ text: String) -> Bool { text.prefix(5).lowercased() == "file:" }

    /// The path that `text` names, absolute or, after a bare `file:`, relative.
    ///
    /// Hosts other than none and `localhost` are refused, as are an encoded slash or NUL: both hide what is named.
    /// Returns `nil` where `text` is no `file:` URL at all.
    public static func path(_ text: String) throws(UnpackingError) -> FilePath? {
        let bytes = Array(text.utf8)
        guard bytes.count > 5, begins(text) else { return nil }
        var rest = bytes[5...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if rest.starts(with: Array("//".utf8)) {
            let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            let name = String(decoding: host, as: UTF8.self)
            guard name.isEmpty || name.lowercased() == "localhost" else {
                throw UnpackingError(.refused, "\(text) names a file on another host, \(name); share the file itself")
            }
            rest = rest.dropFirst(2 + host.count)
        }
        return try path(decoding: rest, of: text)
    }

    private static func path(decoding encoded: ArraySlice<UInt8>, of text: String) throws(UnpackingError) -> FilePath {
        var decoded: [UInt8] = []
        var index = encoded.startIndex
        while index < encoded.endIndex {
            var byte = encoded[index]
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: encoded[index...].dropFirst().prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), digits.first != "+" else {
                    throw UnpackingError(.malformed, "\(text) has a '%' without two hexadecimal digits")
                }
                guard value != 0, value != UInt8(ascii: "/") else {
                    throw UnpackingError(.refused, "\(text) hides a slash or a NUL behind '%'")
                }
                byte = value
                index += 2
            }
            guard byte != 0 else { throw UnpackingError(.refused, "\(text) contains a NUL") }
            decoded.append(byte)
            index += 1
        }
        guard !decoded.isEmpty else { throw UnpackingError(.malformed, "\(text) names no file") }
        return FilePath(bytes: decoded)
    }
}
