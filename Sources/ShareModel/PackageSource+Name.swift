public import SystemPackage

extension PackageSource.Kind {
    /// The name by which a person knows a source of this kind: the last part of its path, or the web address.
    public func name(of path: FilePath) -> String? {
        self == .link ? path.webAddress : path.lastComponent?.string
    }
}
