internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// A folder of files that stand for objects: reflinks if the file system has them, and otherwise symbolic links. A page
/// stands for a web address.
///
/// A person and other programs may write there at any moment. So each call that makes a file replaces nothing, and each
/// removal checks the file under a private name first.
struct LibraryFolder {
    let layout: ContainerLayout
    let fileSystem: any FileSystem
    /// Whether the file system can share blocks; `nil` until it is known.
    private var canClone: Bool?

    init(layout: ContainerLayout, fileSystem: any FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
    }

    var root: FilePath { layout.library }

    /// The greatest numbers of bytes of a name and of a path on Linux: `NAME_MAX` and `PATH_MAX`.
    private static let (longestName, longestPath) = (255, 4_095)

    /// The place of a path below the folder; `nil` if the path cannot be that of a file there. Paths come from rows, which
    /// may be damaged.
    func place(_ path: String) -> FilePath? {
        guard let place = Self.place(path, below: root), place.bytes.count <= Self.longestPath else { return nil }
        return place
    }

    /// Whether a path can be that of a file below some folder: it does not lead out of it, and no name is too long.
    static func isPath(_ path: String) -> Bool { place(path, below: "/") != nil }

    private static func place(_ path: String, below root: FilePath) -> FilePath? {
        guard path.utf8.count <= longestPath, !path.utf8.contains(0), let place = root.place(of: path),
            FilePath(path).components.allSatisfy({ $0.string.utf8.count <= longestName })
        else { return nil }
        return place
    }

    /// Whether something has the path; `false` for a path that leads out of the folder.
    func exists(_ path: String) throws -> Bool { try place(path).map { try fileSystem.exists($0) } ?? false }

    /// Whether a file or a link has the path; `false` for a folder, and for a path that leads out of the folder.
    func hasFile(_ path: String) throws -> Bool {
        guard let status = try place(path).flatMap({ try fileSystem.status(of: $0) }) else { return false }
        return status.kind != .folder
    }

    /// The result of making a file.
    enum Making {
        case made
        /// A file stands where a folder must be.
        case blocked(FileError)
        /// Another file has the name, and stays as it is; or the path leads out of the folder.
        case taken
        case noObject
    }

    /// Makes a file, whole or not at all, and replaces nothing. The file, or the link itself, gets the time `time`.
    mutating func make(_ path: String, _ file: LibraryFile, _ time: Timestamp?) throws -> Making {
        guard try fileSystem.exists(layout.object(file.digest)) else { return .noObject }
        guard let target = place(path) else { return .taken }
        do {
            try ensureFolders(above: path)
        } catch let error as FileError where error.code == .notAFolder {
            return .blocked(error)
        }
        if let part = try part(file) {
            if let time { fileSystem.setModified(time, of: part) }
            if try fileSystem.moveIfFree(part, to: target) { return .made }
            try fileSystem.remove(part, isFolder: false)
            // If the name is free after all, this file system cannot rename without replacing. A link never replaces.
            if try fileSystem.exists(target) { return .taken }
        }
        let link = link(to: file.digest, depth: FilePath(path).components.count)
        guard try fileSystem.link(target, to: link) else { return .taken }
        if let time { fileSystem.setModified(time, of: target) }
        return .made
    }

    func ensureFolders(above path: String) throws {
        var folder = root
        try fileSystem.ensureFolder(folder)
        for component in FilePath(path).removingLastComponent().components {
            folder.append(component)
            try fileSystem.ensureFolder(folder)
        }
    }

    /// A relative link, which stays valid when the container is moved.
    private func link(to digest: Digest, depth: Int) -> FilePath {
        FilePath(String(repeating: "../", count: depth) + ContainerLayout.relativeObject(digest))
    }

    /// A file with the content or the page, under a temporary name; `nil` if only a link can stand for the content.
    private mutating func part(_ file: LibraryFile) throws -> FilePath? {
        // A dead run may have left it. No live run has it, since this one holds the library lock.
        try fileSystem.remove(layout.libraryPart, isFolder: false)
        if let page = file.page { return try write(page) }
        // To make a file and remove it again would cost more than the link. Once one file was cloned, others are tried.
        guard canClone != false else { return nil }
        let clone = try clone(file.digest)
        canClone = canClone ?? (clone != nil)
        return clone
    }

    /// A page is durable before it has a name in the library: later runs do not read it again.
    private func write(_ page: LinkPage) throws -> FilePath {
        let part = layout.libraryPart
        let file = try fileSystem.open(part, .writeOnly, [.create, .exclusiveCreate], mode: [.ownerRead, .groupRead])
        try file.closeAfter {
            try page.bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, part) }
            try fileSystem.sync(file, part)
        }
        return part
    }

    /// The page for a content that is one web address; `nil` for any other content, and if its object is missing.
    func page(_ file: LibraryFile) throws -> LinkPage? {
        let object = layout.object(file.digest)
        guard file.type == .uriList, try fileSystem.exists(object) else { return nil }
        return try fileSystem.bytes(of: object, limit: LinkPage.contentLimit).flatMap(LinkPage.init(uriList:))
    }

    /// A file that shares the object's blocks, under a temporary name; `nil` if the file system cannot share blocks.
    private func clone(_ digest: Digest) throws -> FilePath? {
        let part = layout.libraryPart
        let object = try fileSystem.open(layout.object(digest), .readOnly, [.noFollow])
        defer { try? object.close() }
        let file = try fileSystem.open(part, .writeOnly, [.create, .exclusiveCreate], mode: [.ownerRead, .groupRead])
        defer { try? file.close() }
        if try fileSystem.clone(object, to: file, part) { return part }
        try fileSystem.remove(part, isFolder: false)
        return nil
    }

    /// The object that a file links to; `nil` if the file is no link to an object.
    func linked(_ path: String) throws -> Digest? { try place(path).flatMap { try object(of: $0) } }

    /// Like ``linked(_:)``, for a link anywhere in the container.
    func object(of path: FilePath) throws -> Digest? {
        guard let link = try fileSystem.destination(of: path)?.string, let digest = Digest(String(link.suffix(64)))
        else { return nil }
        let end = ContainerLayout.relativeObject(digest)
        // `../` has three bytes. Any number of them is accepted: a removal moves a link to a folder of another depth.
        let steps = max(0, link.utf8.count - end.utf8.count) / 3
        return link == String(repeating: "../", count: steps) + end ? digest : nil
    }

    /// The links below the folder to objects that do not exist. A person's folder that cannot be read is skipped, and so
    /// are the entries of one that can be listed but not entered.
    func dangling() throws -> [(path: String, digest: Digest)] {
        var found: [(path: String, digest: Digest)] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? root : root.appending(folder)
            for name in (try? fileSystem.names(in: place)) ?? [] {
                let (path, target) = ("\(folder)\(name.string)", place.appending(name))
                let kind = (try? fileSystem.status(of: target))?.kind
                if kind == .folder { folders.append("\(path)/") }
                guard kind == .other, let digest = try object(of: target) else { continue }
                if try !fileSystem.exists(layout.object(digest)) { found.append((path, digest)) }
            }
        }
        return found
    }
}
