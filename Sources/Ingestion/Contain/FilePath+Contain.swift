internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension FilePath {
    /// The path from the root; a relative one is taken from the working folder.
    var absolute: FilePath {
        guard isRelative, let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return FilePath(platformString: folder).pushing(self).lexicallyNormalized()
    }

    /// Makes a file that all may read.
    func write(_ text: String) throws {
        let file = try FileDescriptor.open(
            self, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }
}
