public import SystemPackage

extension FilePath {
    /// The path that stands for a web address, such as the source of a link.
    ///
    /// A path drops a slash at its end, and the second of two in a row. Then several addresses would have one path. So
    /// such a slash is a space in the path. A web address has no space: one that is sent has `%20` in the path.
    public init(webAddress address: String) {
        let (slash, space) = (UInt8(ascii: "/"), UInt8(ascii: " "))
        var bytes = address.utf8.flatMap { $0 == space ? Array("%20".utf8) : [$0] }
        for place in bytes.indices.dropFirst() where bytes[place] == slash && bytes[place - 1] == slash {
            bytes[place] = space
        }
        if bytes.last == slash { bytes[bytes.count - 1] = space }
        self.init(bytes: bytes)
    }

    /// The web address that the path stands for; see ``init(webAddress:)``.
    public var webAddress: String {
        String(decoding: bytes.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
}
