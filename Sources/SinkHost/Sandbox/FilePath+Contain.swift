internal import Glibc
internal import SystemPackage

extension FilePath {
    /// Writes a file that all users may read, because the sink may run as another user.
    func write(_ text: String) throws {
        let file = try FileDescriptor.open(
            self, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }
}
