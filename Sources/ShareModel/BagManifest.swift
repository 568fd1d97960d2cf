public import SystemPackage

/// What a bag (RFC 8493) says of its payload: a digest for each file. The same value for all that comes from one bag.
public final class BagManifest: Sendable {
    /// An algorithm that a bag's digests are believed in. MD5 and SHA-1 are none: files can be made to have theirs.
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha256, sha512

        /// The manifest's file.
        public var manifest: String { "manifest-\(rawValue).txt" }
        /// How many hexadecimal digits a digest has.
        public var digits: Int { self == .sha256 ? 64 : 128 }
    }

    private struct Entry {
        var start: Int
        var end: Int
    }

    /// The bag's folder.
    public let root: FilePath
    /// Of all digests in it.
    public let algorithm: Algorithm
    /// Makes what digests a file, by the bag's algorithm.
    public let makeHasher: @Sendable () -> any ContentHasher
    /// The paths, one behind the other; an array a path would take several times as much.
    private let paths: [UInt8]
    private let digests: [UInt8]
    private let entries: [Entry]
    /// The places of the entries in the order of their paths' bytes.
    private let order: [Int32]

    /// - Parameters:
    ///   - lines: path and digest of each file; a path is relative to the bag, its bytes decoded, a digest lower-case.
    ///   - makeHasher: makes what digests a file.
    public init(
        root: FilePath, algorithm: Algorithm, lines: some Sequence<(path: [UInt8], digest: ArraySlice<UInt8>)>,
        makeHasher: @escaping @Sendable () -> any ContentHasher
    ) {
        var (paths, digests, entries): ([UInt8], [UInt8], [Entry]) = ([], [], [])
        for line in lines {
            entries.append(Entry(start: paths.count, end: paths.count + line.path.count))
            paths += line.path
            digests += line.digest
        }
        let sorted = entries.indices.map(Int32.init).sorted { left, right in
            let (left, right) = (entries[Int(left)], entries[Int(right)])
            return paths[left.start..<left.end].lexicographicallyPrecedes(paths[right.start..<right.end])
        }
        (self.root, self.algorithm, self.makeHasher) = (root, algorithm, makeHasher)
        (self.paths, self.digests, self.entries, order) = (paths, digests, entries, sorted)
    }

    /// How many files there are.
    public var count: Int { entries.count }

    /// The path of a file, relative to the bag, by its place in the manifest.
    public func path(at place: Int) -> FilePath { FilePath(bytes: bytes(entries[place])) }

    /// The digits that the manifest states for a path relative to the bag; several where it names it several times, and
    /// none where it does not.
    public func digests(of path: FilePath) -> [ArraySlice<UInt8>] {
        let found = digests(of: path.bytes)
        // Some programs write a percent sign as it is, which reads as another one's code.
        return found.isEmpty ? digests(of: BagPath.decode(path.bytes)) : found
    }

    private func digests(of path: [UInt8]) -> [ArraySlice<UInt8>] {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if bytes(entries[Int(order[middle])]).lexicographicallyPrecedes(path) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return order[low...].prefix { bytes(entries[Int($0)]).elementsEqual(path) }.map { place in
            digests[Int(place) * algorithm.digits..<(Int(place) + 1) * algorithm.digits]
        }
    }

    private func bytes(_ entry: Entry) -> ArraySlice<UInt8> { paths[entry.start..<entry.end] }
}

extension BagManifest: Hashable {
    /// Whether it is the same one.
    public static func == (left: BagManifest, right: BagManifest) -> Bool { left === right }

    /// Feeds what tells it from any other one.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A digest of bytes that come in pieces.
public protocol ContentHasher: AnyObject {
    /// Takes the next bytes; not after ``digits()``.
    func update(_ bytes: UnsafeRawBufferPointer)

    /// The digest of all bytes so far, as lower-case hexadecimal digits; the hasher is used up.
    func digits() -> [UInt8]
}
