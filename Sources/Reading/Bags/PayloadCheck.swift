internal import Files
package import ShareModel
internal import SystemPackage

/// The digests that a manifest of a bag states for one file.
///
/// The check covers the bytes that were staged, packed or parsed. To read a file for a check and then again would not do:
/// a write through a memory mapping may change it in between and leave its times as they were.
package struct PayloadCheck: Sendable {
    private let manifest: BagManifest
    private let path: FilePath
    private let expected: [ArraySlice<UInt8>]

    /// - Parameter path: the path of the file.
    /// - Returns: `nil` for a file outside of the bag, which is not checked.
    /// - Throws: if the manifest does not name the file.
    init?(_ manifest: BagManifest, at path: FilePath) throws(ReadingError) {
        guard let way = path.way(from: manifest.root) else { return nil }
        (self.manifest, self.path) = (manifest, path)
        expected = manifest.digests(of: FilePath(root: nil, way))
        guard !expected.isEmpty else {
            throw ReadingError(
                .refused,
                "\(path) is not in \(manifest.name) of the bag, so it may be a stranger's; "
                    + "name the file itself to take it in")
        }
    }

    /// A hasher for the bytes of the file.
    package func makeHasher() -> any ContentHasher { manifest.makeHasher() }

    /// Checks the digest of the file's bytes.
    ///
    /// - Throws: if the manifest has another digest for the file.
    package func check(_ hasher: any ContentHasher) throws(ReadingError) { try check(digits: hasher.digits()) }

    /// Checks the bytes of the file.
    package func check(_ bytes: [UInt8]) throws(ReadingError) {
        let hasher = makeHasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        try check(hasher)
    }

    /// Checks staged bytes of the file.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of the staged bytes.
    ///   - content: passes the staged bytes on in pieces. Called only if the manifest has another algorithm.
    /// - Throws: if the manifest has another digest for the file; each error of `content`.
    package func check(_ digest: Digest, _ content: ((UnsafeRawBufferPointer) -> Void) throws -> Void) throws {
        guard manifest.algorithm != .sha256 else { return try check(digits: Array(digest.description.utf8)) }
        let hasher = makeHasher()
        try content { hasher.update($0) }
        try check(hasher)
    }

    private func check(digits: [UInt8]) throws(ReadingError) {
        // A manifest may name one file twice, with two digests.
        guard expected.allSatisfy({ $0.elementsEqual(digits) }) else {
            throw ReadingError(
                .changed,
                "\(path) does not match \(manifest.name) of the bag: it was changed or damaged; "
                    + "get the bag again")
        }
    }
}
