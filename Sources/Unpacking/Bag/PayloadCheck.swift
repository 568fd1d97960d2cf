internal import ShareModel
internal import SystemPackage

/// Holds a bag's files against its manifest, each before it is read for good.
///
/// A file is read twice then, the second time mostly from memory: the digest may be another one than an object's, and a
/// file may become a part of an archive. That it stood still between is told by its stamp, as with every source.
struct PayloadCheck: Sendable {
    private static let chunk = 256 << 10

    let manifest: BagManifest

    /// Reads an opened file to its end, and puts it back to its beginning.
    ///
    /// - Parameter path: where it lies; what is not below the bag is none of its files, and is let through.
    /// - Throws: for a file that is not in the manifest, or whose bytes are others than it says.
    func check(_ file: borrowing OpenedFile, at path: FilePath) throws(UnpackingError) {
        guard path.starts(with: manifest.root) else { return }
        let relative = FilePath(root: nil, Array(path.components).dropFirst(manifest.root.components.count))
        let expected = manifest.digests(of: relative)
        guard !expected.isEmpty else {
            throw UnpackingError(
                .refused,
                "\(path) is not in \(manifest.algorithm.manifest) of the bag, and may be a stranger's; name the file itself "
                    + "to take it in")
        }
        let digits = try digits(of: file)
        // One that is named twice must be what both say.
        guard expected.allSatisfy({ $0.elementsEqual(digits) }) else {
            throw UnpackingError(
                .changed,
                "\(path) is not what \(manifest.algorithm.manifest) of the bag says, it was changed or damaged; get the bag again"
            )
        }
        try named(path.string) { () throws(Errno) in try file.rewind() }
    }

    private func digits(of file: borrowing OpenedFile) throws(UnpackingError) -> [UInt8] {
        let hasher = manifest.makeHasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 4096)
        defer { buffer.deallocate() }
        var total: Int64 = 0
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { return hasher.digits() }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            total += Int64(count)
            // One that grows as fast as it is read would never end.
            if file.size > 0, total > file.size { try file.checkUnchanged(afterReading: total) }
        }
    }
}
