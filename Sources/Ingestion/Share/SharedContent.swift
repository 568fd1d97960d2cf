internal import Files
internal import GroupContainer
internal import Reading
internal import ShareModel
internal import SystemPackage

/// What a sharing session was given, in order.
struct SharedContent {
    enum Piece {
        case file(FilePath)
        case link(String)
        case bytes([UInt8], name: String?, type: String?)
        case open(FileDescriptor, name: String, type: String?)
        /// Alone: a description, a form, a web address, or with a name any bytes.
        case standardInput(name: String?)
        /// Alone: a share of the inbox.
        case waiting(FilePath, InboxArrival?)
    }

    var pieces: [Piece] = []

    /// The folders in which the package names files.
    private(set) var folders: [FilePath] = []
    /// The parts of the package.
    private var open: [(descriptor: FileDescriptor, name: String)] = []

    init(pieces: [Piece] = []) { self.pieces = pieces }

    /// The inputs of a session, of which there must be one.
    ///
    /// One file, folder or link alone is the same package as in a run over it. Several pieces are the attachments of one item.
    ///
    /// - Throws: ``SharingError``.
    mutating func inputs(_ options: IngestOptions) throws -> RunInputs {
        if pieces.count == 1, case .standardInput(let name) = pieces[0] {
            return RunInputs(.standardInput(name: name), options)
        }
        if pieces.count == 1, case .waiting(let share, let arrival) = pieces[0] {
            let source = arrival?.source(in: share) ?? PackageSource(kind: .share, path: share, folder: share)
            let input = ReadInput.described(share: share, source, limits: options.limits.reading)
            return RunInputs(HandedInput(input: input), options)
        }
        return RunInputs(try input(options), options)
    }

    private mutating func input(_ options: IngestOptions) throws -> HandedInput {
        if pieces.isEmpty {
            guard let text = options.text else {
                throw SharingError(.nothingToShare, "nothing was given to share; name a file, a web address or a text")
            }
            return HandedInput(input: .package(.note(title: options.title, text: text)))
        }
        if pieces.count == 1, let address = pieces[0].address {
            return HandedInput(input: try Self.read(address, options))
        }
        let given = pieces
        let attachments = try given.map { try provider($0) }
        let source = PackageSource(kind: .submitted, path: "share", folder: nil)
        let package = SharePackage(source: source, items: [ExtensionItem(attachments: attachments)])
        return HandedInput(input: .package(package, parts: open.isEmpty ? nil : OpenFiles(open)))
    }

    /// The package that a run would make of an address.
    private static func read(_ address: InputAddress, _ options: IngestOptions) throws -> ReadInput {
        var reader = try PackageReader(
            AddressList([address]), excluding: options.container, readers: options.readers,
            limits: options.limits.reading)
        guard let input = reader.next() else {
            try Task.checkCancellation()
            throw SharingError(.nothingToShare, "\(address.text) has nothing to share in it")
        }
        switch input {
        case .package(let package, _):
            // Otherwise the reader walks the folder, and each file in it is a package.
            guard let path = address.path, package.source.path != path.absolute else { return input }
            throw folder(path)
        case .skipped(_, let why):
            if let path = address.path, case .folder? = try? Directory.kind(named: path) { throw folder(path) }
            throw SharingError(.unreadableSource, "\(address.text) cannot be shared: \(why)")
        case .recorded: throw folder(address.path ?? "")
        case .unusable(_, let error), .failed(_, let error):
            throw SharingError(.unreadableSource, "\(address.text): \(error.message)", remedy: error.remedy)
        }
    }

    private static func folder(_ path: FilePath) -> SharingError {
        SharingError(.unreadableSource, "\(path) is a folder of several things; name the files that belong together")
    }

    private mutating func provider(_ piece: Piece) throws -> ItemProvider {
        switch piece {
        case .link(let address): return ItemProvider(representations: [Representation(content: .link(address))])
        case .bytes(let bytes, let name, let type):
            return ItemProvider(
                suggestedName: name, representations: [Representation(declaredType: type, content: .data(bytes))])
        case .open(let descriptor, let name, let type):
            let content = Representation.Content.part(OpenFiles.part(open.count, named: name))
            open.append((descriptor, name))
            return ItemProvider(
                suggestedName: name, representations: [Representation(declaredType: type, content: content)])
        case .standardInput, .waiting:
            throw SharingError(.unreadableSource, "standard input is a share of its own; leave the others out")
        case .file(let given):
            let path = given.absolute
            let kind: Directory.EntryKind
            do throws(Errno) { kind = try Directory.kind(named: path) } catch {
                let isMissing = error == .noSuchFileOrDirectory
                throw SharingError(
                    .unreadableSource,
                    "\(given): \(isMissing ? given.whyMissing : "it cannot be read: \(error.description)")")
            }
            guard case .file = kind else {
                throw SharingError(
                    .unreadableSource, "\(given) is not a file; what is shared together must be files and links")
            }
            // The person's own links may be followed, and nothing below is opened through a link.
            let real = path.real ?? path
            folders.append(real.removingLastComponent())
            return ItemProvider(
                suggestedName: path.lastComponent?.string,
                representations: [Representation(content: .file(.path(real)))])
        }
    }
}

extension SharedContent.Piece {
    fileprivate var address: InputAddress? {
        switch self {
        case .file(let path): .path(path)
        case .link(let address): .link(address)
        case .bytes, .open, .standardInput, .waiting: nil
        }
    }
}

extension InputAddress {
    fileprivate var text: String {
        switch self {
        case .path(let path): path.string
        case .link(let address): address
        case .unusable(let url, _): url
        }
    }
}
