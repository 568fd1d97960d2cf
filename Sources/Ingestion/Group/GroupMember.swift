internal import ShareModel
internal import Sniffing

/// A stored provider, as the group policy sees it.
struct GroupMember {
    /// The provider's place in its item.
    let index: Int
    let contentClass: ContentClass
    /// Whether the sender marked it as a preview of something else.
    let isPreview: Bool
    /// Whether it is an image of at most ``IngestLimits/iconPixels`` a side.
    let isSmallImage: Bool
    /// Whether it is a short text that came as text, and not as a file.
    let isCaption: Bool
    let declaredGroup: String?
    private let type: MediaType
    /// In lower case.
    private let name: String

    init?(_ selection: ProviderSelection, limits: IngestLimits) {
        guard let content = selection.content, let type = selection.story.type else { return nil }
        index = selection.story.index
        contentClass = ContentClass(of: type)
        isPreview = selection.provider.role == .preview
        isSmallImage = content.imageSize.map { max($0.width, $0.height) <= limits.iconPixels } ?? false
        let form = selection.story.tried.first { $0.representation == selection.story.chosen }?.form
        isCaption = form == .text && contentClass == .text && content.object.size <= limits.delivery.captionBytes
        declaredGroup = selection.provider.group
        self.type = type
        name = selection.story.name.lowercased()
    }

    /// Whether its type is a plain property list, and not a format built on one.
    var isPropertyList: Bool { DeclaredType(type.description).isPropertyList }

    /// Whether its name is that of a sidecar, which describes the file of the same stem: XMP (ISO 16684-1), Apple's
    /// photo adjustments.
    var isSidecar: Bool { name.hasSuffix(".xmp") || name.hasSuffix(".aae") }

    var isLink: Bool { contentClass == .link }

    func hasSameStem(as other: GroupMember) -> Bool { stem != nil && stem == other.stem }

    /// The name without its extension; `nil` if it is empty.
    private var stem: Substring? {
        let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
        return stem.isEmpty ? nil : stem
    }
}
