internal import Files
internal import ShareModel
internal import SystemPackage

/// Reads the two files that make a folder a bag: `bagit.txt` and the manifest of the payload. RFC 8493.
enum Bag {
    static let payload: FilePath.Component = "data"
    private static let declaration: FilePath.Component = "bagit.txt"
    // RFC 8493, section 2.1.1: the declaration has exactly two lines.
    private static let declarationBytes = 1 << 10

    /// Whether the folder has a bag's declaration.
    static func isOne(_ folder: Directory) -> Bool {
        if case .file? = try? folder.kind(of: declaration) { return true }
        return false
    }

    /// The manifest that the payload is checked against: the first one in the order of the algorithms.
    ///
    /// - Throws: if the declaration is broken, or the bag has only manifests of weak algorithms.
    static func manifest(_ root: FilePath, _ folder: Directory, _ limits: ReadingLimits) throws(ReadingError)
        -> BagManifest
    {
        try checkDeclaration(root, folder)
        // RFC 8493, section 3: every manifest of the payload lists all of its files, so one covers them.
        for algorithm in BagManifest.Algorithm.allCases {
            guard let name = FilePath.Component(algorithm.manifest), (try? folder.kind(of: name)) != nil else {
                continue
            }
            let text = root.appending(name).string
            let bytes = try read(name, folder, text, limit: limits.manifestBytes)
            let lines = ManifestLines(bytes, file: text, algorithm: algorithm)
            let parsed = try lines.parse(limit: limits.bagEntries)
            return BagManifest(root: root, algorithm: algorithm, lines: parsed) { ManifestHasher(algorithm) }
        }
        let names = BagManifest.Algorithm.allCases.map(\.manifest).joined(separator: " nor ")
        throw ReadingError(
            .refused,
            "\(root) is a bag with neither \(names), and no other digest is accepted; add one with a tool for BagIt, or "
                + "name its folder data to take its files in unchecked")
    }

    /// Whether the bag lists files to be fetched from elsewhere.
    static func hasFetch(_ folder: Directory) -> Bool { (try? folder.kind(of: "fetch.txt")) != nil }

    private static func checkDeclaration(_ root: FilePath, _ folder: Directory) throws(ReadingError) {
        let text = root.appending(declaration).string
        let bytes = try read(declaration, folder, text, limit: declarationBytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let first = lines.first, first.hasPrefix("BagIt-Version:"),
            first.dropFirst(14).contains(where: \.isNumber),
            lines.dropFirst().contains(where: {
                $0.hasPrefix("Tag-File-Character-Encoding:") && $0.uppercased().contains("UTF-8")
            })
        else {
            throw ReadingError(
                .malformed,
                "\(text) does not state a version of BagIt and UTF-8; mend it, or name the bag's folder data")
        }
    }

    private static func read(_ name: FilePath.Component, _ folder: Directory, _ text: String, limit: Int)
        throws(ReadingError) -> [UInt8]
    {
        let descriptor = try named(text) { () throws(Errno) in try folder.open(name) }
        let file = try OpenedFile(descriptor, name: text)
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= limit else { throw ReadingError(.limit, "\(text) is longer than \(limit) bytes") }
        }
    }
}
