internal import Files
internal import ShareModel

/// The lines of a manifest of a bag: a digest, white space, a path. RFC 8493, sections 2.1.3 and 2.2.1.
struct ManifestLines {
    private let bytes: [UInt8]
    private let file: String
    private let algorithm: BagManifest.Algorithm
    private let isOfPayload: Bool

    /// - Parameter isOfPayload: whether the files are those below `data`; otherwise they are tag files.
    init(_ bytes: [UInt8], file: String, algorithm: BagManifest.Algorithm, isOfPayload: Bool) {
        self.bytes = bytes
        self.file = file
        self.algorithm = algorithm
        self.isOfPayload = isOfPayload
    }

    typealias Line = (path: [UInt8], digest: ArraySlice<UInt8>)

    /// All lines, in their order.
    ///
    /// - Throws: with code `malformed` and the number of the first broken line; with code `limit` for more than
    ///   `limit`.
    func parse(limit: Int) throws(ReadingError) -> [Line] {
        var lines: [Line] = []
        var (start, number) = (0, 0)
        // One line after the other: a list of all lines of a large manifest would need more memory than the manifest.
        while start < bytes.count {
            let end = bytes[start...].firstIndex(where: Self.isLineEnd) ?? bytes.count
            number += 1
            // Blank lines count, so that a number is the one that an editor shows.
            if end > start {
                guard lines.count < limit else {
                    throw ReadingError(.limit, "\(file) names more than \(limit) files")
                }
                lines.append(try parse(bytes[start..<end], number: number))
            }
            start = end + (bytes[end...].starts(with: "\r\n".utf8) ? 2 : 1)
        }
        return lines
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private func parse(_ line: ArraySlice<UInt8>, number: Int) throws(ReadingError) -> Line {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let digest = line.prefix { !isSpace($0) }
        var path = line.dropFirst(digest.count).drop(while: isSpace)
        // `sha256sum --binary` puts a star before the name.
        if path.first == UInt8(ascii: "*") { path = path.dropFirst() }
        // Names that `find .` prints begin so. `BagManifest` compares bytes, so the prefix must go.
        if path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        // RFC 8493, section 2.1.3, allows both cases. ``ContentHasher`` gives lower case.
        let digits = digest.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F") ? $0 + 32 : $0 }
        guard digits.count == algorithm.digits, digits.allSatisfy(Array("0123456789abcdef".utf8).contains) else {
            throw malformed(number, "does not begin with \(algorithm.digits) hexadecimal digits")
        }
        let decoded = BagPath.decode(path)
        let steps = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // RFC 8493, section 5.1: a manifest with `..` could make ``MissingFiles`` look for files outside of the bag.
        let isBelowData = steps.count > 1 && steps[0].elementsEqual("data".utf8)
        guard isBelowData == isOfPayload, !decoded.contains(0),
            !steps.contains(where: { $0.isEmpty || $0.isDotName })
        else { throw malformed(number, isOfPayload ? "names no file below data/" : "names no tag file") }
        return (decoded, digits[...])
    }

    private func malformed(_ number: Int, _ words: String) -> ReadingError {
        ReadingError(.malformed, "\(file): line \(number) \(words); mend it, or name the bag's folder data")
    }
}
