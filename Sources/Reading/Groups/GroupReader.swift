internal import Files
internal import ShareModel
internal import SystemPackage

/// Makes one package of the files of a folder that belong together, such as a photo and its sidecar; see
/// ``FolderRule``.
///
/// It takes only what a walk finds. A person who names one file means that file.
struct GroupReader: Reader {
    let name = "group"
    let kind = PackageSource.Kind.group

    func read(_ input: NamedInput, _ context: ReadingContext) -> ReaderResult? {
        // A bag's receipts say what belongs together.
        guard let siblings = input.siblings, let name = input.name, input.bag == nil else { return nil }
        switch siblings.place(of: name) {
        case .alone: return nil
        case .follower: return .partOfAnother
        case .lead(let followers): return .package(package(input, name, followers))
        }
    }

    private func package(_ input: NamedInput, _ name: FilePath.Component, _ followers: [Siblings.Follower])
        -> SharePackage
    {
        var source = input.source(.group)
        source.stamp = SourceStamp(combining: [input.stamp] + followers.map(\.stamp))
        let folder = input.path.removingLastComponent()
        let members = [(name, ItemProvider.Role.content)] + followers.map { ($0.name, $0.role) }
        let attachments = members.map { file, role in
            let representation = Representation(content: .file(.path(folder.appending(file))))
            return ItemProvider(
                suggestedName: file.string, role: role, group: name.string, representations: [representation])
        }
        return SharePackage(source: source, items: [ExtensionItem(attachments: attachments)])
    }
}
