internal import Glibc
internal import ShareModel
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
        // Most paths have no `.` and no `..`. This look is cheap, and the component view is not.
        guard path.hasDotComponent else { return path }
        guard let up = path.components.lastIndex(where: { $0.kind == .parentDirectory }) else {
            return path.lexicallyNormalized()
        }
        let next = path.components.index(after: up)
        let upper = FilePath(root: path.root, path.components[..<next])
        return (upper.real ?? upper).appending(path.components[next...]).lexicallyNormalized()
    }

    /// The way from `base` down to this path; `nil` if the path does not begin with `base`, or `base` is empty. Only the
    /// text is compared.
    package func way(from base: FilePath) -> [FilePath.Component]? {
        let slash = UInt8(ascii: "/")
        let (whole, upper) = (bytes, base.bytes)
        let rest = whole.dropFirst(upper.count)
        guard !upper.isEmpty, whole.starts(with: upper),
            rest.isEmpty || rest.first == slash || upper.last == slash
        else { return nil }
        return Array(FilePath(bytes: rest.drop { $0 == slash }).components)
    }

    /// The place of a relative path below this folder; `nil` if the path is empty or absolute, or has `.` or `..`.
    package func place(of path: String) -> FilePath? {
        let named = FilePath(path)
        guard named.isRelative, !named.isEmpty, named.components.allSatisfy({ $0.kind == .regular }) else { return nil }
        return appending(named.components)
    }

    /// Whether a component is `.` or `..`.
    private var hasDotComponent: Bool { bytes.split(separator: UInt8(ascii: "/")).contains { $0.isDotName } }

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
