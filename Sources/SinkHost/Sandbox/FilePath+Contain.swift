internal import Glibc
internal import SystemPackage

extension FilePath {
    /// Makes a file that all may read.
    func write(_ text: String) throws {
        let file = try FileDescriptor.open(
            self, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }
}
