public import ShareModel
public import SystemPackage

/// What a reader makes of one input.
public enum ReadInput: Sendable {
    case package(SharePackage)
    /// Left out, with the reason: hidden, still being written, a link, a device.
    case skipped(PackageSource, why: String)
    /// Named by the user, and not there: a slip of the pen, not a package.
    case missing(PackageSource)
    /// Meant as a package, and nothing that can be read.
    case failed(PackageSource, UnpackingError)
}

/// The first stage: says which package each input is, one after the other, and loads no content.
///
/// Order: that of the paths given; a folder's entries by the bytes of their names, depth first.
public struct PackageReader {
    private var pending: [FilePath]
    private var walk: FolderWalk?
    private let limits: UnpackingLimits
    private let excluded: FolderIdentity?
    private let makeHasher: HasherMaker?
    private var bag: BagWalk?

    /// A reader of these paths, in this order; relative ones count from the working folder. Opens none of them yet.
    ///
    /// - Parameters:
    ///   - folder: a folder that is left out where a walk meets it, by whatever name: the container.
    ///   - makeHasher: what digests the files of bags; without it, a bag is a folder as any other.
    public init(
        paths: [FilePath], excluding folder: FilePath? = nil, limits: UnpackingLimits = UnpackingLimits(),
        makeHasher: HasherMaker? = nil
    ) {
        self.makeHasher = makeHasher
        pending = paths.reversed()
        self.limits = limits
        excluded = folder.flatMap { (try? Directory($0.absolute))?.identity }
    }

    /// The next input; `nil` at the end.
    public mutating func next() -> ReadInput? {
        while true {
            if let entry = walk?.next() { return read(entry) }
            walk = nil
            if let missing = bag?.nextMissing() { return missing }
            bag = nil
            guard let path = pending.popLast() else { return nil }
            if let input = start(path.absolute) { return input }
        }
    }

    /// The package that a description on standard input is.
    public static func standardInput(_ bytes: [UInt8], limits: UnpackingLimits = UnpackingLimits()) -> ReadInput {
        let source = PackageSource(kind: .standardInput, path: "-", folder: nil)
        do {
            return .package(
                try ShareDescription.package(bytes, named: "standard input", source: source, limits: limits))
        } catch {
            return .failed(source, error)
        }
    }

    /// Begins with a path that the user named: links in it are followed, hidden names taken.
    private mutating func start(_ path: FilePath) -> ReadInput? {
        guard let name = path.lastComponent else {
            walk = FolderWalk(root: path, limits: limits, excluded: excluded)
            return nil
        }
        do throws(UnpackingError) {
            let target = path.real ?? path
            guard let last = target.lastComponent else {
                walk = FolderWalk(root: path, limits: limits, excluded: excluded)
                return nil
            }
            let folder = target.removingLastComponent()
            let parent = try named(path.string) { () throws(Errno) in try Directory(folder) }
            let (kind, stamp) = try named(path.string) { () throws(Errno) in try parent.entry(last) }
            let form = FolderForm(of: name)
            if case .folder = kind, form == .plain {
                try beginWalk(path)
                return nil
            }
            return read(
                .init(
                    root: folder, path: FilePath(root: nil, components: last), named: path, content: .kind(kind),
                    stamp: stamp))
        } catch {
            guard error.code == .missing else { return .failed(.init(kind: .other, path: path, folder: nil), error) }
            return .missing(.init(kind: .other, path: path, folder: nil))
        }
    }

    /// Of a bag, the payload is walked and nothing else.
    private mutating func beginWalk(_ path: FilePath) throws(UnpackingError) {
        var root = path
        // What cannot be opened, the walk will name.
        if let makeHasher, let folder = try? Directory(path), Bag.isOne(folder) {
            bag = BagWalk(
                manifest: try Bag.manifest(path, folder, limits, makeHasher), hasFetch: Bag.hasFetch(folder))
            root = path.appending(Bag.payload)
            guard case .folder = try named(root.string, { () throws(Errno) in try folder.kind(of: Bag.payload) }) else {
                throw UnpackingError(.malformed, "\(root) is no folder, and a bag's payload must lie in one")
            }
        }
        walk = FolderWalk(root: root, limits: limits, excluded: excluded)
    }

    private func read(_ entry: FolderWalk.Entry) -> ReadInput {
        switch entry.content {
        case .unreadable(let error):
            return .failed(.init(kind: .other, path: entry.named, folder: nil), error)
        case .skipped(let why):
            return .skipped(.init(kind: .other, path: entry.named, folder: nil), why: why)
        case .kind(.file):
            let source = PackageSource(
                kind: .file, path: entry.named, folder: entry.root, stamp: entry.stamp, bag: bag?.manifest)
            return .package(.single(source, entry.path))
        case .kind(.folder):
            return readFolder(entry)
        case .kind(.link):
            let why = "a symbolic link; name its target to take it in"
            return .skipped(.init(kind: .other, path: entry.named, folder: nil), why: why)
        case .kind(.special(let words)):
            return .skipped(.init(kind: .other, path: entry.named, folder: nil), why: "\(words), not a file")
        }
    }

    private func readFolder(_ entry: FolderWalk.Entry) -> ReadInput {
        guard let name = entry.named.lastComponent, FolderForm(of: name) == .share else {
            let source = PackageSource(kind: .bundle, path: entry.named, folder: entry.root, bag: bag?.manifest)
            return .package(.single(source, entry.path))
        }
        let folder = entry.root.appending(entry.path.components)
        let source = PackageSource(
            kind: .share, path: entry.named, folder: folder, root: entry.root, bag: bag?.manifest)
        do {
            return .package(try ShareDescription.package(source, folder, limits: limits))
        } catch {
            return .failed(source, error)
        }
    }
}

extension SharePackage {
    /// A plain file or document folder: one item, one provider, one representation, and no claim but its name.
    static func single(_ source: PackageSource, _ path: FilePath) -> SharePackage {
        let representation = Representation(content: .file(.path(path)))
        let provider = ItemProvider(suggestedName: path.lastComponent?.string, representations: [representation])
        return SharePackage(source: source, items: [ExtensionItem(attachments: [provider])])
    }
}
