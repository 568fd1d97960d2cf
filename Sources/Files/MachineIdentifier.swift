internal import Glibc
internal import ShareModel
package import SystemPackage

/// A random identifier of this machine, for rows that several machines may write.
///
/// A host name would not do, because another machine can get it later. `/etc/machine-id` would not do either, because
/// other programs know it.
package enum MachineIdentifier {
    /// The longest identifier, in bytes.
    private static let limit = 64

    /// The identifier in a text, without white space around it; `nil` if it is empty or longer than 64 bytes.
    package static func parse(_ text: String) -> String? {
        let id = text.trimmed
        return id.isEmpty || id.utf8.count > limit ? nil : id
    }

    /// Reads the identifier from a file, and makes the file if it does not exist; `nil` if neither is possible.
    ///
    /// The file must lie outside of any container, because a container can be copied to another machine.
    package static func load(from path: FilePath, _ fileSystem: some FileSystem) -> String? {
        if let known = read(path, fileSystem) { return known }
        let new = path.removingLastComponent().appending("machine.\(UniqueName.make())")
        do {
            try fileSystem.ensureFolders(path.removingLastComponent())
            let file = try fileSystem.open(new, .writeOnly, [.create, .exclusiveCreate], mode: .ownerReadWrite)
            let bytes = Array("\(UniqueName.make())\n".utf8)
            try file.closeAfter {
                try bytes.withUnsafeBytes { try fileSystem.writeAll($0, to: file, new) }
                try fileSystem.sync(file, new)
            }
            // If two processes start at once, the first identifier stays. A file without an identifier is replaced.
            if try !fileSystem.moveIfFree(new, to: path), read(path, fileSystem) == nil {
                try fileSystem.move(new, to: path)
            }
        } catch {}
        try? fileSystem.remove(new, isFolder: false)
        return read(path, fileSystem)
    }

    /// The identifier that ``load(from:_:)`` would return, without writing: a new one if the file could be made.
    package static func planned(from path: FilePath, _ fileSystem: some FileSystem) -> String? {
        if let known = read(path, fileSystem) { return known }
        var folder = path.removingLastComponent()
        // A folder whose status is unknown counts as one that is there, and cannot be written.
        while (try? fileSystem.exists(folder)) == false, folder.removeLastComponent() {}
        return folder.withPlatformString { access($0, W_OK | X_OK) } == 0 ? UniqueName.make() : nil
    }

    /// The identifier in a file; `nil` if the file has none or cannot be read.
    private static func read(_ path: FilePath, _ fileSystem: some FileSystem) -> String? {
        guard let file = try? fileSystem.open(path, .readOnly, [.nonBlocking, .noFollow]) else { return nil }
        let bytes = try? file.closeAfter {
            try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                count = try fileSystem.read(file, path, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return parse(String(decoding: bytes ?? [], as: UTF8.self))
    }
}
