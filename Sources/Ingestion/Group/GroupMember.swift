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
    /// The name without its ending, in lower case; `nil` where nothing is left.
    private let stem: String?
    /// A file that describes the file of the same stem: XMP (ISO 16684-1), Apple's photo adjustments.
    let isSidecar: Bool

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
        let name = selection.story.name.lowercased()
        let dot = name.lastIndex(of: ".")
        stem = name.prefix(upTo: dot ?? name.endIndex).isEmpty ? nil : String(name.prefix(upTo: dot ?? name.endIndex))
        isSidecar = dot.map { [".xmp", ".aae"].contains(name[$0...]) } ?? false
    }

    var isLink: Bool { contentClass == .link }

    func hasSameStem(as other: GroupMember) -> Bool { stem != nil && stem == other.stem }
}
