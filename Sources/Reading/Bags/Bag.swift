internal import Files
internal import ShareModel
internal import SystemPackage

/// Reads the files that make a folder a bag: `bagit.txt` and the manifests. RFC 8493.
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
    static func manifest(
        _ root: FilePath, _ folder: Directory, tags: BagManifest?, _ limits: ReadingLimits
    ) throws(ReadingError) -> BagManifest {
        try checkDeclaration(root, folder)
        // RFC 8493, section 3: every manifest of the payload lists all of its files, so one covers them.
        for algorithm in BagManifest.Algorithm.allCases {
            let name = algorithm.manifest
            guard let lines = try lines(of: name, algorithm, root, folder, limits, isOfPayload: true) else { continue }
            return BagManifest(root: root, algorithm: algorithm, lines: lines, tags: tags) { ManifestHasher(algorithm) }
        }
        let names = BagManifest.Algorithm.allCases.map(\.manifest).joined(separator: " nor ")
        throw ReadingError(
            .refused,
            "\(root) is a bag with neither \(names), and no other digest is accepted; add one with a tool for BagIt, or "
                + "name its folder data to take its files in unchecked")
    }

    /// The manifest that the records of packages are checked against; `nil` for a bag without records. The bag of
    /// another program needs none. If the bag has records and no such manifest, the manifest is one without lines,
    /// with the name of a file that is not there.
    static func tags(_ root: FilePath, _ folder: Directory, _ limits: ReadingLimits) throws(ReadingError)
        -> BagManifest?
    {
        guard BagRecords.folders.contains(where: { (try? folder.kind(of: $0)) != nil }) else { return nil }
        for algorithm in BagManifest.Algorithm.allCases {
            let name = algorithm.tagManifest
            guard let lines = try lines(of: name, algorithm, root, folder, limits, isOfPayload: false) else { continue }
            return BagManifest(root: root, algorithm: algorithm, lines: lines, name: name) { ManifestHasher(algorithm) }
        }
        let none: [ManifestLines.Line] = []
        let name = BagManifest.Algorithm.sha256.tagManifest
        return BagManifest(root: root, algorithm: .sha256, lines: none, name: name) { ManifestHasher(.sha256) }
    }

    /// The lines of a manifest; `nil` if the bag does not have it.
    private static func lines(
        of manifest: String, _ algorithm: BagManifest.Algorithm, _ root: FilePath, _ folder: Directory,
        _ limits: ReadingLimits, isOfPayload: Bool
    ) throws(ReadingError) -> [ManifestLines.Line]? {
        guard let name = FilePath.Component(manifest), (try? folder.kind(of: name)) != nil else { return nil }
        let text = root.appending(name).string
        let bytes = try read(name, folder, text, limit: limits.manifestBytes)
        let lines = ManifestLines(bytes, file: text, algorithm: algorithm, isOfPayload: isOfPayload)
        return try lines.parse(limit: isOfPayload ? limits.bagEntries : limits.bagTagFiles)
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
        return try OpenedFile(descriptor, name: text).bytes(limit: limit)
    }
}
