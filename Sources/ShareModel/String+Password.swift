extension String {
    /// A web address, with or without its scheme, that has no password (RFC 3986, section 3.2.1).
    package var withoutPassword: String {
        let bytes = Array(utf8)
        let isOfScheme = { (byte: UInt8) in byte != UInt8(ascii: "/") && byte != UInt8(ascii: "@") }
        let scheme = bytes.prefix(while: isOfScheme)
        let start =
            bytes[scheme.endIndex...].starts(with: "//".utf8) && scheme.last == UInt8(ascii: ":") ? scheme.count + 2 : 0
        let authority = bytes[start...].prefix { !"/?#".utf8.contains($0) }
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<end].firstIndex(of: UInt8(ascii: ":"))
        else { return self }
        return String(decoding: bytes[..<colon] + bytes[end...], as: UTF8.self)
    }
}
