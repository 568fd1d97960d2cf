internal import Files
internal import ShareModel
internal import SystemPackage

/// Checks each file of a bag against the manifest, before the file is read for good.
///
/// This reads a file twice, the second time mostly from the page cache. One reading does not do: the manifest's digest
/// may be of another algorithm than an object's, and a file may be packed with its folder. The file's stamp shows that
/// it did not change in between.
struct PayloadCheck: Sendable {
    private static let chunk = 256 << 10

    let manifest: BagManifest

    /// Reads an open file to its end, and goes back to its beginning.
    ///
    /// - Parameter path: the path of the file. A file outside of the bag passes unchecked.
    /// - Throws: if the manifest does not name the file, or has another digest for it.
    func check(_ file: borrowing OpenedFile, at path: FilePath) throws(ReadingError) {
        guard let way = path.way(from: manifest.root) else { return }
        let expected = manifest.digests(of: FilePath(root: nil, way))
        guard !expected.isEmpty else {
            throw ReadingError(
                .refused,
                "\(path) is not in \(manifest.algorithm.manifest) of the bag, so it may be a stranger's; "
                    + "name the file itself to take it in")
        }
        let digits = try digits(of: file)
        // A manifest may name one file twice, with two digests.
        guard expected.allSatisfy({ $0.elementsEqual(digits) }) else {
            throw ReadingError(
                .changed,
                "\(path) does not match \(manifest.algorithm.manifest) of the bag: it was changed or damaged; "
                    + "get the bag again")
        }
        try file.rewind()
    }

    private func digits(of file: borrowing OpenedFile) throws(ReadingError) -> [UInt8] {
        let hasher = manifest.makeHasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 4096)
        defer { buffer.deallocate() }
        var total: Int64 = 0
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { return hasher.digits() }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            total += Int64(count)
            // A file that grows as fast as it is read would never end.
            if file.size > 0, total > file.size { try file.checkUnchanged(afterReading: total) }
        }
    }
}
