internal import Files
internal import GroupContainer
internal import ShareModel

extension PackageKey {
    /// The identifier of an input that failed as a whole.
    static func failure(_ source: PackageSource, original: HandedInput.Original?) -> String {
        failure(source.kind, named: original?.digest ?? Digest(of: source.path.bytes))
    }
}
