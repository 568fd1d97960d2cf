internal import ShareModel
internal import SystemPackage

/// Takes a folder that is one document, such as `Letter.pages`, by its name. A folder of which a walk would leave
/// something out is walked.
struct BundleReader: Reader {
    let name = "bundle"
    let kind = PackageSource.Kind.bundle

    /// The names of folders that are one document end so. The list is short on purpose: a folder that is wrongly taken
    /// for a document hides its files in one archive. A document that is wrongly walked only falls apart into files.
    static let extensions: Set<String> = [
        "pages", "numbers", "key",  // iWork before its documents became zip files
        "rtfd", "textbundle",  // text with its pictures
        "app", "bundle", "framework", "plugin",  // programs
        "pvt",  // a live photo as Photos exports it
        "logicx", "band", "scptd", "playground", "xcodeproj", "graffle", "sparsebundle",
    ]

    func read(_ input: NamedInput, _ context: ReadingContext) -> ReaderResult? {
        guard input.isFolder, let ending = input.name?.extension?.lowercased(), Self.extensions.contains(ending) else {
            return nil
        }
        let survey = input.survey()
        guard survey?.leavesOut != true else { return nil }
        var source = input.source(.bundle)
        source.stamp = input.stamp?.withChange(atLeast: survey?.changed)
        return .package(.single(source, input.path))
    }
}
