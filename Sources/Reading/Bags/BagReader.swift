internal import Files
internal import ShareModel
internal import SystemPackage

/// Takes a bag that the user named: its payload is walked. What the bag records of a package comes with the package.
///
/// A bag that a walk finds is a folder like any other, because its files come in without the bag too.
struct BagReader: Reader {
    let name = "bag"
    // Each file of the payload is a package of its own. The bag itself is none.
    let kind = PackageSource.Kind.other

    func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult? {
        // The walk reports a folder that cannot be opened.
        guard input.isFolder, input.isNamedByUser, let folder = try? Directory(input.named), Bag.isOne(folder) else {
            return nil
        }
        var tags: BagManifest?
        var fault: ReadingError?
        do throws(ReadingError) {
            tags = try Bag.tags(input.named, folder, context.limits)
        } catch {
            // The payload comes in without the records.
            fault = error
        }
        let manifest = try Bag.manifest(input.named, folder, tags: tags, context.limits)
        let payload = input.named.appending(Bag.payload)
        guard case .folder = try named(payload.string, { () throws(Errno) in try folder.kind(of: Bag.payload) }) else {
            throw ReadingError(.malformed, "\(payload) is no folder, and a bag's payload must lie in one")
        }
        let missing = MissingFiles(manifest, hasFetch: Bag.hasFetch(folder))
        return .folder(
            payload, bag: manifest,
            then: BagRest(manifest, fault: fault, failures: FailedPackages(manifest, context.limits), missing: missing))
    }
}

/// What follows the payload of a bag: its failed packages, and what it lacks.
private struct BagRest: InputSequence {
    private let source: PackageSource
    private var fault: ReadingError?
    private var failures: FailedPackages?
    private var missing: MissingFiles

    /// - Parameter fault: why the bag's records cannot be read; `nil` if they can.
    init(_ manifest: BagManifest, fault: ReadingError?, failures: FailedPackages?, missing: MissingFiles) {
        source = PackageSource(kind: .other, path: manifest.root, folder: nil)
        (self.fault, self.failures, self.missing) = (fault, failures, missing)
    }

    mutating func next() -> ReadInput? {
        if let fault {
            self.fault = nil
            return .failed(source, fault)
        }
        return failures?.next() ?? missing.next()
    }
}

/// The failed packages of a bag, of which it has only the receipts.
struct FailedPackages: InputSequence {
    private let manifest: BagManifest
    private let records: BagRecords
    private var paths: [FilePath]
    private var unlisted: ReadingError?

    /// `nil` for a bag without records.
    init?(_ manifest: BagManifest, _ limits: ReadingLimits) {
        guard let tags = manifest.tags else { return nil }
        self.manifest = manifest
        records = BagRecords(tags, limits: limits)
        paths = records.failedPaths.reversed()
        unlisted = records.unlistedFailures
    }

    mutating func next() -> ReadInput? {
        if let unlisted {
            self.unlisted = nil
            let source = PackageSource(kind: .other, path: manifest.root, folder: nil)
            return .skipped(source, why: "at least one failure that it records is not taken over: \(unlisted.message)")
        }
        guard let path = paths.popLast() else { return nil }
        do throws(ReadingError) {
            let receipt = try records.failure(at: path)
            let source = PackageSource(
                kind: receipt.source.kind, path: receipt.source.filePath, folder: nil, bag: manifest)
            return .recorded(source, receipt)
        } catch {
            // A package from within the bag replaces a failure of the bag's folder.
            return .failed(PackageSource(kind: .other, path: manifest.root, folder: nil), error)
        }
    }
}

/// The files that a bag's manifest names and the payload does not have, in the order of the manifest.
struct MissingFiles: InputSequence {
    private let manifest: BagManifest
    private let hasFetch: Bool
    private var place = 0

    /// - Parameter hasFetch: whether the bag lists files to be fetched from elsewhere.
    init(_ manifest: BagManifest, hasFetch: Bool) {
        self.manifest = manifest
        self.hasFetch = hasFetch
    }

    mutating func next() -> ReadInput? {
        while place < manifest.count {
            let path = manifest.path(at: place)
            place += 1
            let full = manifest.root.appending(path.components)
            // A program that does not encode percent signs names the file as the line does. ``BagManifest`` accepts it
            // too.
            guard !isThere(full), !isThere(manifest.root.appending(BagPath.encode(path))) else { continue }
            let remedy =
                hasFetch
                ? "the bag has a fetch.txt, and nothing is fetched from the network; complete the bag, and run again"
                : "get the bag again"
            let error = ReadingError(
                .missing, "\(full) is in \(manifest.name) of the bag, and no file is there; \(remedy)")
            return .failed(PackageSource(kind: .other, path: full, folder: nil), error)
        }
        return nil
    }

    /// Whether a file is there. If the system does not say, the error at the file's opening will.
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
