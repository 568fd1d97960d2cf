internal import Files
package import ShareModel
package import SystemPackage

/// Opens the files that a sender names, below the package's own folder or a root that the user allowed, and the parts
/// of the package's container.
///
/// Each component of a path is opened below the one before, and none through a link. A folder that is swapped for a
/// link meanwhile leads nowhere. The folder of the last file stays open for the next one.
package final class SourceOpener {
    private let folder: Root?
    private let allowed: [Root]
    private let limits: ReadingLimits
    private let bag: BagManifest?
    private let parts: PartOpener?
    private var last: (root: FilePath, way: [FilePath.Component], folder: Directory)?

    /// A folder that may be read, and the way to it.
    private struct Root: Sendable {
        /// The part of the path that the user named. Links in it are followed.
        let base: FilePath
        /// The part of the path that the sender named.
        let way: [FilePath.Component]
        /// The absolute paths of the folder: as the user named it, and without links.
        let names: [FilePath]

        init(_ path: FilePath, below base: FilePath?) {
            let path = path.absolute
            let base = base?.absolute ?? path
            let down = path.way(from: base)
            self.base = down == nil ? path : base
            way = down ?? []
            names = [path] + (path.real.map { $0 == path ? [] : [$0] } ?? [])
        }
    }

    /// - Parameters:
    ///   - folder: the package's own folder; `nil` if it has none.
    ///   - root: the folder at or above `folder` that the user named. No link is followed from there on.
    ///   - allowedRoots: folders that the user opened to every package.
    ///   - bag: the manifest that the files below the bag's folder must match; see ``OpenedFile/payload``. Other files are not
    ///     checked.
    ///   - parts: the package's container; `nil` if it has none.
    package init(
        folder: FilePath?, root: FilePath? = nil, allowedRoots: [FilePath] = [],
        bag: BagManifest? = nil, parts: (any PartSource)? = nil, limits: ReadingLimits = ReadingLimits()
    ) {
        self.parts = parts.map { PartOpener($0, limits: limits) }
        self.bag = bag
        self.folder = folder.map { Root($0, below: root) }
        allowed = allowedRoots.map { Root($0, below: nil) }
        self.limits = limits
    }

    package enum Opened: ~Copyable {
        case file(OpenedFile)
        /// A folder that is one document.
        case bundle(Bundle)
    }

    /// Opens a part of the package's container.
    ///
    /// - Throws: with code `refused` at the second opening of one part, and if the package has no container.
    package func open(_ part: PartReference) throws(ReadingError) -> OpenedPart {
        guard let parts else {
            throw ReadingError(.refused, "\(part.path) is a part, and its package did not come from a container")
        }
        return try parts.open(part)
    }

    /// Opens a file or a folder that is one document.
    ///
    /// - Throws: with code `refused` for a path that leads outside, and for a link, device, FIFO or socket; with code
    ///   `missing` or `unreadable` if the system does not open it.
    package func open(_ reference: FileReference) throws(ReadingError) -> Opened {
        let (root, components) = try place(of: reference)
        // A folder that a package names is packed as one document. Its own folder would pack the description with it.
        guard let name = components.last, components != self.folder?.way || root != self.folder?.base else {
            throw ReadingError(
                .refused, "\(reference.text) is the package's own folder; name the files in it")
        }
        let text = reference.text
        let folder = try named(text) { () throws(Errno) in try directory(root, components.dropLast()) }
        let kind = try named(text) { () throws(Errno) in try folder.kind(of: name) }
        switch kind {
        case .file:
            let payload = try bag.flatMap { manifest throws(ReadingError) in
                try PayloadCheck(manifest, at: root.appending(components))
            }
            let descriptor = try named(text) { () throws(Errno) in try folder.open(name) }
            return .file(try OpenedFile(descriptor, name: text, payload: payload))
        case .folder:
            let inner = try named(text) { () throws(Errno) in try Directory(name, below: folder) }
            return .bundle(
                Bundle(inner, name: name, limits: limits, bag: bag, place: root.appending(components.dropLast())))
        case .link: throw ReadingError(.tooManySymbolicLinkLevels, on: text)
        case .special(let words): throw ReadingError(.refused, "\(text) is \(words); only files are taken in")
        }
    }

    /// The folder at the end of a way. Each step is opened below the one before.
    private func directory(_ root: FilePath, _ way: ArraySlice<FilePath.Component>) throws(Errno) -> Directory {
        if let last, last.way.elementsEqual(way), last.root == root { return last.folder }
        var folder = try Directory(root)
        for component in way { folder = try Directory(component, below: folder) }
        last = (root, Array(way), folder)
        return folder
    }

    /// Opens a regular file that the user named. Links in its path are followed.
    package static func open(named path: FilePath) throws(ReadingError) -> OpenedFile {
        let text = path.string
        // Opening a device can have effects, so the kind is checked before. It is checked again on the opened file,
        // because another program may have replaced the file in between.
        switch try named(text, { () throws(Errno) in try Directory.kind(named: path) }) {
        case .file: break
        case .folder: throw ReadingError(.refused, "\(text) is a folder; name its files")
        case .link: throw ReadingError(.tooManySymbolicLinkLevels, on: text)
        case .special(let words): throw ReadingError(.refused, "\(text) is \(words); only files are taken in")
        }
        return try OpenedFile(try named(text) { () throws(Errno) in try Directory.open(named: path) }, name: text)
    }

    /// The root and the way below it, from the text of the path alone.
    private func place(of reference: FileReference) throws(ReadingError) -> (FilePath, [FilePath.Component]) {
        let path = try reference.path()
        // Only the text is compared with the roots below. Where a folder on the way is a link, the kernel and the text
        // disagree about the target of `..`.
        guard !path.components.contains(where: { $0.kind == .parentDirectory }) else {
            throw ReadingError(.refused, "\(reference.text) leads upwards with '..'; name the file by its real path")
        }
        let components = Array(path.components).filter { $0.kind == .regular }
        if path.isRelative {
            guard let folder else {
                throw ReadingError(
                    .refused, "\(reference.text) is a relative path, and standard input has no folder of its own")
            }
            return (folder.base, folder.way + components)
        }
        for root in (folder.map { [$0] } ?? []) + allowed {
            for name in root.names {
                guard let way = path.way(from: name) else { continue }
                return (root.base, root.way + way.filter { $0.kind == .regular })
            }
        }
        throw ReadingError(.refused, "\(reference.text) lies outside the package", remedy: .allowFolder)
    }
}

/// Turns the failure of a system call into an error that names the file.
func named<Value: ~Copyable>(_ text: String, _ call: () throws(Errno) -> Value) throws(ReadingError) -> Value {
    do {
        return try call()
    } catch {
        throw ReadingError(error, on: text)
    }
}

extension FileReference {
    /// The reference for people.
    package var text: String {
        switch self {
        case .path(let path): path.string
        case .url(let url): url
        }
    }

    /// The path, unchecked.
    package func path() throws(ReadingError) -> FilePath {
        switch self {
        case .path(let path): return path
        case .url(let url):
            do { return try FileURL.path(url) } catch { throw ReadingError(error.code, "\(url) \(error.reason)") }
        }
    }
}
