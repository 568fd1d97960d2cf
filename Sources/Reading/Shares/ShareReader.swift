internal import ShareModel
internal import SystemPackage

/// Takes a folder `NAME.share`, whose `share.json` describes the package.
struct ShareReader: Reader {
    let name = "share"
    let kind = PackageSource.Kind.share

    func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult? {
        guard input.isFolder, input.name?.extension?.lowercased() == "share" else { return nil }
        let folder = input.root.appending(input.path.components)
        var source = input.source(.share, folder: folder)
        if context.settles { source.stamp = input.newestStamp(context.limits) }
        return .package(try ShareDescription.package(source, folder, limits: context.limits))
    }
}
