internal import Files
internal import ShareModel
public import SystemPackage

/// Files of packages under their own names, for programs that go by a file's extension:
/// `run/open/<package>/<sha256>/<name>`.
///
/// A name is a hard link, so it needs no space, and a program that replaces the file leaves the object alone. `forget`
/// removes the names of a package at once, a collection those that are older than its grace period.
public struct NamedFiles: Sendable {
    private let local: LocalContainer

    /// Opens an existing container for writing.
    ///
    /// - Parameter root: the container's folder; a relative path starts at the working folder.
    /// - Throws: ``ContainerError`` if there is no container, or it cannot be written.
    public init(opening root: FilePath) throws {
        local = try ContainerError.converting { try LocalContainer(root, makes: false, SystemFileSystem.system) }
    }

    init(_ local: LocalContainer) { self.local = local }

    /// The path of a package's file under its name; it can only be read.
    ///
    /// - Parameter package: the package's whole identifier.
    /// - Throws: ``ContainerError`` if the content is lost, or the name cannot be made.
    public func path(of file: PackageFile, package: String) throws -> FilePath {
        try ContainerError.converting {
            // The lock keeps the object from removal meanwhile.
            try local.layout.withLock(.objects, .shared, local.fileSystem) { try make(file, package) }
        }
    }

    private func make(_ file: PackageFile, _ package: String) throws -> FilePath {
        let (layout, fileSystem) = (local.layout, local.fileSystem)
        guard try fileSystem.exists(file.path) else { throw ContainerError(lost: file) }
        var folder = layout.opened
        try fileSystem.ensureFolder(folder)
        for component in [package, file.sha256.description] {
            folder.append(component)
            try fileSystem.ensureFolder(folder)
        }
        let name = folder.appending(file.name)
        // Some programs replace the file that they were given. The next call must not open that.
        try fileSystem.remove(name, isFolder: false)
        if try fileSystem.hardLink(file.path, as: name) { return name }
        guard try fileSystem.link(name, to: file.path) else {
            throw ContainerError(.system, "another process just made \(name); run again")
        }
        return name
    }
}

extension ContainerError {
    /// The error of content that the catalog names and the container does not have.
    init(lost file: PackageFile) {
        self.init(.notFound, "the content of \(file.name) is lost", remedy: .repairObject)
    }
}

extension PackageFile {
    /// Throws an error that names the remedy, if the content is lost.
    public func requireContent() throws {
        let isThere = try ContainerError.converting { try SystemFileSystem.system.exists(path) }
        guard isThere else { throw ContainerError(lost: self) }
    }
}
