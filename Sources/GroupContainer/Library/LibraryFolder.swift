internal import CFileSystem
internal import ShareModel
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A folder of files that stand for objects: reflinks where the file system has them, else links to the objects.
struct LibraryFolder {
    /// More than any link of ours has, in bytes.
    private static let linkLimit = 512

    let root: FilePath
    let layout: ContainerLayout
    private let fileSystem = SystemFileSystem()

    func exists(_ path: String) throws -> Bool { try fileSystem.exists(root.appending(path)) }

    /// Makes a file for an object, whole or not at all; whether the object is there.
    func make(_ path: String, _ digest: Digest) throws -> Bool {
        guard try fileSystem.exists(layout.object(digest)) else { return false }
        let target = root.appending(path)
        try fileSystem.ensureFolder(root)
        var folder = root
        for component in FilePath(path).removingLastComponent().components {
            folder.append(component)
            try fileSystem.ensureFolder(folder)
        }
        if try clone(digest, to: target) { return true }
        let link = link(to: digest, depth: FilePath(path).components.count)
        let status = link.withPlatformString { link in target.withPlatformString { symlink(link, $0) } }
        guard status == 0 else { throw ContainerError(Errno(rawValue: errno), "linking", target) }
        return true
    }

    private func link(to digest: Digest, depth: Int) -> FilePath {
        var link = FilePath(String(repeating: "../", count: depth))
        for component in layout.object(digest).components.suffix(3) { link.append(component) }
        return link
    }

    /// Whether the file system could share the object's blocks.
    private func clone(_ digest: Digest, to target: FilePath) throws -> Bool {
        let part = layout.run.appending("library.part")
        try fileSystem.remove(part, isFolder: false)
        let object = try fileSystem.open(layout.object(digest), .readOnly, [.noFollow])
        defer { try? object.close() }
        let file = try fileSystem.open(part, .writeOnly, [.create, .exclusiveCreate], mode: [.ownerRead, .groupRead])
        defer { try? file.close() }
        guard cfilesystem_clone(file.rawValue, object.rawValue) == 0 else {
            try fileSystem.remove(part, isFolder: false)
            return false
        }
        try fileSystem.move(part, to: target)
        return true
    }

    /// Takes a file away that stands for an object, with the folders that are empty then; whether it was one: what
    /// somebody else put there, or changed, stays.
    func remove(_ path: String) throws -> Bool {
        let target = root.appending(path)
        guard try fileSystem.exists(target) else { return true }
        guard try isOurs(target) else { return false }
        try fileSystem.remove(target, isFolder: false)
        var folder = FilePath(path).removingLastComponent()
        while !folder.isEmpty, (try? fileSystem.remove(root.appending(folder.components), isFolder: true)) != nil {
            folder.removeLastComponent()
        }
        return true
    }

    /// Whether nothing is lost with it: a link to an object, or a file with an object's bytes.
    private func isOurs(_ path: FilePath) throws -> Bool {
        guard let status = try fileSystem.status(of: path) else { return true }
        guard status.kind == .file else { return object(of: path) != nil }
        return try fileSystem.status(of: layout.object(fileSystem.digest(of: path).digest))?.size == status.size
    }

    /// The object that a file links to; `nil` where it is no link, or not one of ours.
    func linked(_ path: String) -> Digest? { object(of: root.appending(path)) }

    private func object(of path: FilePath) -> Digest? {
        var buffer = [CInterop.PlatformChar](repeating: 0, count: Self.linkLimit)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count) }
        guard count > 64 else { return nil }
        let link = buffer.withUnsafeBytes { String(decoding: $0.prefix(count), as: UTF8.self) }
        guard let digest = Digest(String(link.suffix(64))) else { return nil }
        let end = self.link(to: digest, depth: 0).string
        let steps = max(0, link.utf8.count - end.utf8.count) / 3
        return link == String(repeating: "../", count: steps) + end ? digest : nil
    }

    /// The links to objects that are not there, below the folder. A person's folder that cannot be read is passed over.
    func dangling() throws -> [(path: String, digest: Digest)] {
        var found: [(path: String, digest: Digest)] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? root : root.appending(folder)
            for name in (try? fileSystem.names(in: place)) ?? [] {
                let (path, target) = ("\(folder)\(name.string)", place.appending(name))
                let kind = try fileSystem.status(of: target)?.kind
                if kind == .folder { folders.append("\(path)/") }
                guard kind == .other, let digest = object(of: target) else { continue }
                if try !fileSystem.exists(layout.object(digest)) { found.append((path, digest)) }
            }
        }
        return found
    }
}
