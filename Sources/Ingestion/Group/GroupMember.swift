internal import ShareModel
internal import Sniffing

/// A stored provider, as the group policy sees it.
struct GroupMember {
    /// The provider's place in its item.
    let index: Int
    let contentClass: ContentClass
    /// The sender says that it is a picture of something else.
    let isPreview: Bool
    /// An image of at most the icon's limit a side.
    let isSmallImage: Bool
    /// A short text that was sent as such.
    let isCaption: Bool
    /// A property list of no more special kind.
    let isPropertyList: Bool
    let declaredGroup: String?
    private let name: String

    init?(_ selection: ProviderSelection, limits: IngestLimits) {
        guard let content = selection.content, let type = selection.story.type else { return nil }
        index = selection.story.index
        contentClass = ContentClass(of: type)
        isPreview = selection.provider.role == .preview
        isSmallImage = content.imageSize.map { max($0.width, $0.height) <= limits.iconPixels } ?? false
        let form = selection.story.tried.first { $0.representation == selection.story.chosen }?.form
        isCaption = form == .text && contentClass == .text && content.object.size <= limits.captionBytes
        isPropertyList = DeclaredType(type.description).isPropertyList
        declaredGroup = selection.provider.group
        name = selection.story.name
    }

    var isLink: Bool { contentClass == .link }

    /// The name without its ending, in lower case; `nil` where nothing is left.
    private var stem: String? {
        let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
        return stem.isEmpty ? nil : stem.lowercased()
    }

    /// Files that describe the file of the same stem: XMP (ISO 16684-1), Apple's photo adjustments.
    var isSidecar: Bool {
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
        return ending == "xmp" || ending == "aae"
    }

    func hasSameStem(as other: GroupMember) -> Bool { stem != nil && stem == other.stem }
}
