public import ShareModel
public import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Opens what a sender names, and only below the package's own folder or a root that the user allowed.
///
/// The way down is walked component by component, each opened below the one before and none through a link, so that
/// nothing that is swapped meanwhile can lead outside. The folder of the last file stays open for the next one.
public final class SourceOpener {
    private let folder: Root?
    private let allowed: [Root]
    private let limits: UnpackingLimits
    private let check: PayloadCheck?
    private var last: (root: FilePath, way: [FilePath.Component], folder: Directory)?

    /// A folder that may be read, and how to get there.
    private struct Root: Sendable {
        /// Named by the user: links in it are followed.
        let base: FilePath
        /// From there on, named by the sender.
        let way: [FilePath.Component]
        /// The absolute paths that it is known by: as it was named, and without links.
        let names: [FilePath]

        init(_ path: FilePath, below base: FilePath?) {
            let path = path.absolute
            let base = base?.absolute ?? path
            let isBelow = path.starts(with: base)
            self.base = isBelow ? base : path
            way = isBelow ? Array(Array(path.components).dropFirst(base.components.count)) : []
            names = [path] + (path.real.map { $0 == path ? [] : [$0] } ?? [])
        }
    }

    /// - Parameters:
    ///   - folder: the package's own folder; `nil` where it has none.
    ///   - root: the folder at or above it that the user named; no link is followed from there on.
    ///   - allowedRoots: folders that the user opened to every package.
    ///   - bag: what the files below its folder must be; others are not held against it.
    public init(
        folder: FilePath?, root: FilePath? = nil, allowedRoots: [FilePath] = [],
        bag: BagManifest? = nil, limits: UnpackingLimits = UnpackingLimits()
    ) {
        check = bag.map(PayloadCheck.init)
        self.folder = folder.map { Root($0, below: root) }
        allowed = allowedRoots.map { Root($0, below: nil) }
        self.limits = limits
    }

    /// What a reference turned out to be.
    public enum Opened: ~Copyable {
        case file(OpenedFile)
        /// A folder that is one document.
        case bundle(Bundle)
    }

    /// Opens a reference, once.
    ///
    /// - Throws: `refused` for whatever lies outside or is a link, device, FIFO or socket; `missing`; `unreadable`.
    public func open(_ reference: FileReference) throws(UnpackingError) -> Opened {
        let (root, components) = try place(of: reference)
        guard let name = components.last else {
            throw UnpackingError(.refused, "\(reference.text) is the package's own folder")
        }
        let text = reference.text
        let folder = try named(text) { () throws(Errno) in try directory(root, components.dropLast()) }
        let kind = try named(text) { () throws(Errno) in try folder.kind(of: name) }
        switch kind {
        case .file:
            let descriptor = try named(text) { () throws(Errno) in try folder.open(name) }
            let file = try OpenedFile(descriptor, name: text)
            try check?.check(file, at: root.appending(components))
            return .file(file)
        case .folder:
            let inner = try named(text) { () throws(Errno) in try Directory(name, below: folder) }
            return .bundle(
                Bundle(inner, name: name, limits: limits, check: check, place: root.appending(components.dropLast())))
        case .link: throw UnpackingError(.tooManySymbolicLinkLevels, on: text)
        case .special(let words): throw UnpackingError(.refused, "\(text) is \(words); only files are taken in")
        }
    }

    /// The folder at the end of a way, every step opened below the one before.
    private func directory(_ root: FilePath, _ way: ArraySlice<FilePath.Component>) throws(Errno) -> Directory {
        if let last, last.way.elementsEqual(way), last.root == root { return last.folder }
        var folder = try Directory(root)
        for component in way { folder = try Directory(component, below: folder) }
        last = (root, Array(way), folder)
        return folder
    }

    /// Opens a file that the user named: links in its path are followed, but it must be a regular file.
    public static func open(named path: FilePath) throws(UnpackingError) -> OpenedFile {
        let text = path.string
        // Opening a device can have effects, so it is asked for its kind first; the opened file is asked again.
        switch try named(text, { () throws(Errno) in try Directory.kind(named: path) }) {
        case .file: break
        case .folder: throw UnpackingError(.refused, "\(text) is a folder; name its files: find … -type f")
        case .link: throw UnpackingError(.tooManySymbolicLinkLevels, on: text)
        case .special(let words): throw UnpackingError(.refused, "\(text) is \(words); only files are taken in")
        }
        return try OpenedFile(try named(text) { () throws(Errno) in try Directory.open(named: path) }, name: text)
    }

    /// The root and the way below it, by the letters of the path alone.
    private func place(of reference: FileReference) throws(UnpackingError) -> (FilePath, [FilePath.Component]) {
        let path = try reference.path()
        guard !path.components.contains(where: { $0.kind == .parentDirectory }) else {
            throw UnpackingError(.refused, "\(reference.text) leads upwards with '..'; name the file by its real path")
        }
        let components = Array(path.components).filter { $0.kind == .regular }
        if path.isRelative {
            guard let folder else {
                throw UnpackingError(
                    .refused, "\(reference.text) is a relative path, and standard input has no folder of its own")
            }
            return (folder.base, folder.way + components)
        }
        for root in (folder.map { [$0] } ?? []) + allowed {
            for name in root.names where path.starts(with: name) {
                return (root.base, root.way + components.dropFirst(name.components.count))
            }
        }
        throw UnpackingError(
            .refused,
            "\(reference.text) lies outside the package; copy it in, or allow its folder with --allow-root")
    }
}

/// Gives a system call's failure the name of what it failed on.
func named<Value: ~Copyable>(_ text: String, _ call: () throws(Errno) -> Value) throws(UnpackingError) -> Value {
    do {
        return try call()
    } catch {
        throw UnpackingError(error, on: text)
    }
}

extension FileReference {
    /// The reference as people may read it.
    public var text: String {
        switch self {
        case .path(let path): path.string
        case .url(let url): url
        }
    }

    /// The path that is named, not yet checked against anything.
    public func path() throws(UnpackingError) -> FilePath {
        switch self {
        case .path(let path): return path
        case .url(let url):
            guard let path = try FileURL.path(url) else { throw UnpackingError(.malformed, "\(url) is no file URL") }
            return path
        }
    }
}

extension FilePath {
    /// The path made absolute by its letters, against the working folder.
    public var absolute: FilePath {
        guard isRelative else { return lexicallyNormalized() }
        guard let folder = getcwd(nil, 0) else { return lexicallyNormalized() }
        defer { free(folder) }
        return FilePath(platformString: folder).appending(components).lexicallyNormalized()
    }

    /// The path without links; `nil` where it does not exist.
    public var real: FilePath? {
        withPlatformString { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return FilePath(platformString: resolved)
        }
    }
}
