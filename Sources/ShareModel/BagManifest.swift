public import SystemPackage

/// A manifest of a bag (RFC 8493): a digest for each payload file, or for each tag file. All files of one bag share one
/// instance.
public final class BagManifest: Sendable {
    /// The digest algorithms that are accepted. MD5 and SHA-1 are excluded, because an attacker can construct two files
    /// with the same digest.
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha256, sha512

        /// The name of the manifest file.
        public var manifest: String { "manifest-\(rawValue).txt" }
        /// The number of hexadecimal digits of a digest.
        public var digits: Int { self == .sha256 ? 64 : 128 }
        /// The name of the file that lists the tag files, which are all files outside of the payload.
        public var tagManifest: String { "tag\(manifest)" }
    }

    private struct Entry {
        var start: Int
        var end: Int
    }

    /// The bag's folder.
    public let root: FilePath
    /// The algorithm of every digest in this manifest.
    public let algorithm: Algorithm
    /// The name of the manifest's file.
    public let name: String
    /// The manifest of the tag files, if the bag has records of its packages; see ``Receipt``.
    public let tags: BagManifest?
    /// Creates a hasher for ``algorithm``.
    public let makeHasher: @Sendable () -> any ContentHasher
    /// All paths in one array; an array for each path would take several times the memory.
    private let paths: [UInt8]
    private let digests: [UInt8]
    private let entries: [Entry]
    /// The indices of the entries, sorted by the bytes of their paths, for a binary search.
    private let order: [Int32]

    /// - Parameters:
    ///   - lines: the path and digest of each file. A path is relative to the bag and decoded; a digest is in lower
    ///     case.
    ///   - name: the name of the manifest's file; by default, that of a manifest of the payload.
    ///   - tags: the manifest of the tag files, to a manifest of the payload.
    ///   - makeHasher: creates a hasher for `algorithm`.
    public init(
        root: FilePath, algorithm: Algorithm, lines: some Sequence<(path: [UInt8], digest: ArraySlice<UInt8>)>,
        name: String? = nil, tags: BagManifest? = nil, makeHasher: @escaping @Sendable () -> any ContentHasher
    ) {
        var (paths, digests, entries): ([UInt8], [UInt8], [Entry]) = ([], [], [])
        for line in lines {
            entries.append(Entry(start: paths.count, end: paths.count + line.path.count))
            paths += line.path
            digests += line.digest
        }
        // 32 bits are enough: a manifest of 256 MiB, the default limit, has fewer lines.
        let sorted = entries.indices.map(Int32.init).sorted { left, right in
            let (left, right) = (entries[Int(left)], entries[Int(right)])
            return paths[left.start..<left.end].lexicographicallyPrecedes(paths[right.start..<right.end])
        }
        (self.root, self.algorithm, self.makeHasher) = (root, algorithm, makeHasher)
        (self.name, self.tags) = (name ?? algorithm.manifest, tags)
        (self.paths, self.digests, self.entries, order) = (paths, digests, entries, sorted)
    }

    /// The number of files.
    public var count: Int { entries.count }

    /// The path of a file, relative to the bag, by its index in the manifest.
    public func path(at place: Int) -> FilePath { FilePath(bytes: bytes(entries[place])) }

    /// The digests that the manifest states for a path relative to the bag, as hexadecimal digits.
    ///
    /// The result is empty if the manifest does not name the path, and has several elements if the manifest names it
    /// several times.
    public func digests(of path: FilePath) -> [ArraySlice<UInt8>] {
        let found = digests(of: path.bytes)
        // Some programs do not encode a percent sign in a path, so that it reads as the code of another character.
        return found.isEmpty ? digests(of: BagPath.decode(path.bytes)) : found
    }

    /// The paths that begin with this text, in the order of their bytes.
    public func paths(beginning text: String) -> [FilePath] {
        let text = Array(text.utf8)
        return order[place(of: text)...].prefix { bytes(entries[Int($0)]).starts(with: text) }
            .map { path(at: Int($0)) }
    }

    private func digests(of path: [UInt8]) -> [ArraySlice<UInt8>] {
        order[place(of: path)...].prefix { bytes(entries[Int($0)]).elementsEqual(path) }.map { place in
            digests[Int(place) * algorithm.digits..<(Int(place) + 1) * algorithm.digits]
        }
    }

    /// The place in ``order`` of the first path that is not before `path`.
    private func place(of path: [UInt8]) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if bytes(entries[Int(order[middle])]).lexicographicallyPrecedes(path) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func bytes(_ entry: Entry) -> ArraySlice<UInt8> { paths[entry.start..<entry.end] }
}

extension BagManifest: Hashable {
    /// Two manifests are equal if they are the same instance: bags are compared by identity, not by content.
    public static func == (left: BagManifest, right: BagManifest) -> Bool { left === right }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Computes a digest of bytes that arrive in several pieces.
public protocol ContentHasher: AnyObject {
    /// Adds the next bytes. The caller must not call this after ``digits()``.
    func update(_ bytes: UnsafeRawBufferPointer)

    /// The digest of all bytes, as lower-case hexadecimal digits. The caller must call this once only.
    func digits() -> [UInt8]
}
