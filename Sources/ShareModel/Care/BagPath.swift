/// Encodes paths for the manifests of a bag. RFC 8493, section 2.1.3.
public enum BagPath {
    private static let hidden: [(byte: UInt8, code: [UInt8])] = [
        (UInt8(ascii: "\n"), Array("%0A".utf8)), (UInt8(ascii: "\r"), Array("%0D".utf8)),
        (UInt8(ascii: "%"), Array("%25".utf8)),
    ]

    /// Encodes a path for one line: line feeds, carriage returns and percent signs become `%0A`, `%0D` and `%25`.
    public static func encode(_ path: some Sequence<UInt8>) -> [UInt8] {
        path.flatMap { byte in hidden.first { $0.byte == byte }?.code ?? [byte] }
    }

    /// Decodes an encoded path. Any other `%` stands for itself, because older versions of the format do not encode it.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var path: [UInt8] = []
        var place = 0
        while place < text.count {
            // RFC 3986, section 2.1: the digits after a percent sign may be in either case.
            let upper = text[place...].prefix(3).map { $0 >= UInt8(ascii: "a") ? $0 - 32 : $0 }
            if let match = hidden.first(where: { $0.code == upper }) {
                path.append(match.byte)
                place += 3
            } else {
                path.append(text[place])
                place += 1
            }
        }
        return path
    }
}
