internal import ShareModel
internal import SystemPackage

/// Takes every file: a package of one item with one provider, whose only claim is the file's name.
struct FileReader: Reader {
    let name = "file"
    let kind = PackageSource.Kind.file

    func read(_ input: NamedInput, _ context: ReadingContext) -> ReaderResult? {
        input.isFolder ? nil : .package(.single(input.source(.file), input.path))
    }
}

extension SharePackage {
    /// A package of one item, one provider and one representation: the file or document folder at `path`.
    static func single(_ source: PackageSource, _ path: FilePath) -> SharePackage {
        let representation = Representation(content: .file(.path(path)))
        let provider = ItemProvider(suggestedName: path.lastComponent?.string, representations: [representation])
        return SharePackage(source: source, items: [ExtensionItem(attachments: [provider])])
    }
}
