internal import Files
internal import ShareModel
package import SystemPackage

/// The first stage: goes through the addresses, walks the folders, and has the readers recognize each input. It loads no
/// content.
///
/// Order: the addresses as given; the entries of a folder by the bytes of their names, depth first.
package struct PackageReader {
    private var addresses: AddressList
    /// The folders and sequences that are being read, the innermost last.
    private var sources: [Source] = []
    private let readers: Readers
    private let limits: ReadingLimits
    private let excluded: FilePath?
    private let ignored: IgnoreList?
    /// Whether the run leaves out what changed a moment ago; shares then have a stamp.
    package var settles = false

    private struct Source {
        var walk: FolderWalk?
        var bag: BagManifest?
        /// Inputs that follow the walk.
        var rest: (any InputSequence)?
        /// Whether ``rest`` counts as found by a walk.
        var isFound = false
    }

    /// The initializer opens none of the addresses.
    ///
    /// - Parameters:
    ///   - folder: a folder that is left out wherever a walk finds it, under any name: the container.
    ///   - patterns: what walks leave out, in git's syntax. They decide before the lists in the folders.
    /// - Throws: with code `malformed` for a pattern that fits nothing; with code `limit` for one that is too long, and for
    ///   too many.
    package init(
        _ addresses: AddressList, excluding folder: FilePath? = nil, ignoring patterns: [String] = [],
        readers: Readers = .standard, limits: ReadingLimits = ReadingLimits()
    ) throws(ReadingError) {
        self.addresses = addresses
        ignored = patterns.isEmpty ? nil : try IgnoreList(patterns: patterns, limits: limits)
        self.readers = readers
        self.limits = limits
        excluded = folder?.absolute
    }

    package init(paths: [FilePath], readers: Readers = .standard, limits: ReadingLimits = ReadingLimits()) {
        addresses = AddressList(paths.map(InputAddress.path))
        (self.readers, self.limits, excluded, ignored) = (readers, limits, nil, nil)
    }

    /// The next input; `nil` at the end, and after a cancellation: a million empty folders yield no input.
    package mutating func next() -> ReadInput? {
        while !Task.isCancelled {
            while let place = sources.indices.last {
                if let entry = sources[place].walk?.next() {
                    if let input = read(entry) { return input }
                } else if let input = sources[place].rest?.next() {
                    return sources[place].isFound ? input.found : input
                } else {
                    sources.removeLast()
                }
            }
            do throws(ReadingError) {
                switch try addresses.next() {
                case .path(let path):
                    if let input = start(path) { return input }
                case .link(let address): return .link(address)
                case .unusable(let url, let why): return .unusable(url: url, why)
                case nil: return nil
                }
            } catch {
                return .unusable(PackageSource(kind: .other, path: addresses.name, folder: nil), error)
            }
        }
        return nil
    }

    /// Begins with a path that the user named. The kernel follows links in it, and the skip rules do not apply.
    private mutating func start(_ given: FilePath) -> ReadInput? {
        let path = given.absolute
        // The user's own links may be followed, but the name and the parent must be those of the real file, because
        // everything below is opened without following links.
        let target = path.real ?? path
        // `/` has no name and no parent, so no reader can recognize it. It can only be walked.
        guard path.lastComponent != nil, let name = target.lastComponent else {
            walk(path)
            return nil
        }
        let root = target.removingLastComponent()
        do throws(ReadingError) {
            let parent = try named(path.string) { () throws(Errno) in try Directory(root) }
            let (kind, stamp) = try named(path.string) { () throws(Errno) in try parent.entry(name) }
            let entry = FolderWalk.Entry(
                root: root, path: FilePath(root: nil, components: name), named: path, content: .kind(kind),
                parent: parent, stamp: stamp)
            // A walk passes these by in silence, but a name means that something is wanted of them.
            if let error = whyNoFile(kind, given) {
                return .unusable(.init(kind: .other, path: path, folder: nil), error)
            }
            return read(entry, isNamedByUser: true)
        } catch {
            guard error.code == .missing else { return .failed(.init(kind: .other, path: path, folder: nil), error) }
            return .missing(given)
        }
    }

    /// The error of a named path that leads to neither a file nor a folder; `nil` if it leads to one.
    ///
    /// - Parameter kind: the kind of the entry, after every link that has a target with a name.
    private func whyNoFile(_ kind: Directory.EntryKind, _ path: FilePath) -> ReadingError? {
        switch kind {
        case .file, .folder: nil
        case .special(let special): whyNoFile(special, path)
        case .link: whyNoFile(linkedBy: path)
        }
    }

    private func whyNoFile(_ special: Directory.Special, _ path: FilePath) -> ReadingError {
        ReadingError(.refused, "\(path) is \(special), not a file", remedy: special == .fifo ? .pipeInput : nil)
    }

    /// The error of a link whose target has no name, such as `/dev/fd/63`, which a shell makes of `<(…)`; or that has no
    /// target.
    private func whyNoFile(linkedBy path: FilePath) -> ReadingError {
        do throws(Errno) {
            guard case .special(let special) = try Directory.kind(named: path.absolute) else {
                return ReadingError(.refused, "\(path) is a link to an open file without a name", remedy: .pipeInput)
            }
            return whyNoFile(special, path)
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory:
                return ReadingError(.missing, "\(path) is a symbolic link, and its target is missing; check the link")
            case .tooManySymbolicLinkLevels:
                return ReadingError(.refused, "\(path) is a symbolic link that leads to itself; check the link")
            default: return ReadingError(error, on: path.string)
            }
        }
    }

    /// Makes an input of an entry; `nil` if the entry is a folder that is walked now.
    private mutating func read(_ entry: FolderWalk.Entry, isNamedByUser: Bool = false) -> ReadInput? {
        var unread = PackageSource(kind: .other, path: entry.named, folder: nil)
        unread.isFound = isFound(isNamedByUser: isNamedByUser)
        switch entry.content {
        case .unreadable(let error): return .failed(unread, error)
        case .skipped(let why): return .skipped(unread, why: why)
        case .kind(.link): return .skipped(unread, why: "a symbolic link; name its target to take it in")
        case .kind(.special(let words)): return .skipped(unread, why: "\(words), not a file")
        case .kind(.file): return recognize(entry, isFolder: false, isNamedByUser: isNamedByUser)
        case .kind(.folder): return recognize(entry, isFolder: true, isNamedByUser: isNamedByUser)
        }
    }

    private mutating func recognize(_ entry: FolderWalk.Entry, isFolder: Bool, isNamedByUser: Bool) -> ReadInput? {
        // Every entry with a kind has a parent. `read` has answered for the others.
        guard let parent = entry.parent else { return nil }
        let input = NamedInput(
            parent: parent, isFolder: isFolder, root: entry.root, path: entry.path, named: entry.named,
            isNamedByUser: isNamedByUser, stamp: entry.stamp, bag: sources.last?.bag, siblings: entry.siblings,
            rules: isFolder ? entry.rules ?? rules(above: entry.named, bag: nil) : nil)
        do {
            switch try readers.read(input, limits: limits, settles: settles) {
            case .package(var package, let parts):
                package.source.isFound = isFound(isNamedByUser: isNamedByUser)
                return .package(package, parts: parts)
            case .folder(let folder, let bag, let rest): walk(folder, bag: bag, then: rest)
            case .inputs(let inputs):
                sources.append(Source(rest: inputs, isFound: isFound(isNamedByUser: isNamedByUser)))
            case .partOfAnother: break
            case nil where !isFolder:
                let why = "no reader takes such a file"
                return .skipped(PackageSource(kind: .other, path: entry.named, folder: nil), why: why)
            case nil where isNamedByUser: walk(entry.named)
            case nil:
                // An entry that the user did not name comes from the walk of the last source.
                guard let left = sources[sources.count - 1].walk?.enter(entry) else { return nil }
                return read(left)
            }
            return nil
        } catch {
            var source = PackageSource(kind: error.kind, path: entry.named, folder: nil)
            source.isFound = isFound(isNamedByUser: isNamedByUser)
            // Half of a share is broken until the rest is written.
            if settles, error.kind == .share { source.stamp = input.newestStamp(limits) }
            return .failed(source, error.error)
        }
    }

    /// Whether an entry counts as found by a walk. A bag is made to bring its packages back.
    private func isFound(isNamedByUser: Bool) -> Bool { !isNamedByUser && sources.last?.bag == nil }

    private mutating func walk(_ folder: FilePath, bag: BagManifest? = nil, then rest: (any InputSequence)? = nil) {
        // A folder inside of another one inherits its depth and its bag.
        let bag = bag ?? sources.last?.bag
        let walk = FolderWalk(
            root: folder, depth: sources.last?.walk?.depth ?? 0, rules: rules(above: folder, bag: bag))
        sources.append(Source(walk: walk, bag: bag, rest: rest))
    }

    /// The rules of a walk that begins with a folder.
    private func rules(above folder: FilePath, bag: BagManifest?) -> WalkRules {
        // Looked up for each walk, because a run may make its container after it has the addresses.
        let excluded = excluded.flatMap { (try? Directory($0))?.identity }
        // A bag comes in as a whole, so a list in its payload is content.
        return WalkRules(
            root: folder, limits: limits, excluded: excluded, ignored: ignored, readsIgnoreFiles: bag == nil)
    }
}

extension ReadInput {
    /// The input as one that a walk found. Only a package can have been forgotten.
    fileprivate var found: ReadInput {
        guard case .package(var package, let parts) = self else { return self }
        package.source.isFound = true
        return .package(package, parts: parts)
    }
}
