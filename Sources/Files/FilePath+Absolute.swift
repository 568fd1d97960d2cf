internal import Glibc
package import SystemPackage

extension FilePath {
    /// The path from the root, without `.` and `..`. A relative path starts at the working folder.
    ///
    /// The kernel resolves each `..`: after a symbolic link it leads to another folder than the text says. If the folder
    /// does not exist, the text decides.
    package var absolute: FilePath {
        var path = self
        if isRelative, let folder = getcwd(nil, 0) {
            defer { free(folder) }
            path = FilePath(platformString: folder).pushing(self)
        }
        // Most paths have no component that begins with a dot. This look is cheap, and the component view is not.
        guard path.withPlatformString({ strstr($0, "/.") }) != nil else { return path }
        guard let up = path.components.lastIndex(where: { $0.kind == .parentDirectory }) else {
            return path.lexicallyNormalized()
        }
        let next = path.components.index(after: up)
        let upper = FilePath(root: path.root, path.components[..<next])
        return (upper.real ?? upper).appending(path.components[next...]).lexicallyNormalized()
    }

    /// The text of the symbolic link with this name; `nil` if no link has it.
    package var linkText: FilePath? { try? SystemFileSystem().destination(of: self) }

    /// The path without symbolic links; `nil` if nothing has this name.
    package var real: FilePath? {
        withPlatformString { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return FilePath(platformString: resolved)
        }
    }
}
