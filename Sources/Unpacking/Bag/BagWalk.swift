internal import ShareModel
internal import SystemPackage

/// A bag under way: after its payload was walked, what its manifest names and nothing bears is told.
struct BagWalk {
    let manifest: BagManifest
    /// Whether some of its files are to be fetched from elsewhere.
    let hasFetch: Bool
    private var place = 0

    init(manifest: BagManifest, hasFetch: Bool) {
        self.manifest = manifest
        self.hasFetch = hasFetch
    }

    /// The next file that is missing, in the order of the manifest; `nil` at its end.
    mutating func nextMissing() -> ReadInput? {
        while place < manifest.count {
            let path = manifest.path(at: place)
            place += 1
            let full = manifest.root.appending(path.components)
            guard !isThere(full), !isThere(manifest.root.appending(BagPath.encode(path))) else { continue }
            let remedy =
                hasFetch
                ? "the bag has a fetch.txt, and nothing is fetched from the network; complete the bag, and run again"
                : "get the bag again"
            let error = UnpackingError(
                .missing, "\(full) is in \(manifest.algorithm.manifest) of the bag, and no file is there; \(remedy)")
            return .failed(PackageSource(kind: .other, path: full, folder: nil), error)
        }
        return nil
    }

    /// Whether a file is there; what cannot be asked for is told where it is opened.
    private func isThere(_ path: FilePath) -> Bool {
        do throws(Errno) {
            if case .file = try Directory.kind(named: path, follows: false) { return true }
            return false
        } catch {
            return error != .noSuchFileOrDirectory && error != .notDirectory
        }
    }
}

extension BagPath {
    /// A path whose percent signs stand for themselves.
    fileprivate static func encode(_ path: FilePath) -> [FilePath.Component] {
        Array(FilePath(bytes: encode(path.bytes)).components)
    }
}
