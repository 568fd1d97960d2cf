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
    /// The bytes of the name without its extension, in lower case; `nil` if there are none.
    let stem: GroupPolicy.Bond?
    /// Whether its name is that of a sidecar, which describes the file of the same stem: XMP (ISO 16684-1), Apple's
    /// photo adjustments.
    let isNamedAsSidecar: Bool
    /// Whether the sender marked it as a sidecar.
    let isMarkedAsSidecar: Bool
    private let type: MediaType

    init?(_ selection: ProviderSelection, limits: IngestLimits) {
        guard let content = selection.content, let type = selection.story.type else { return nil }
        index = selection.story.index
        contentClass = ContentClass(of: type)
        isPreview = selection.provider.role == .preview
        isMarkedAsSidecar = selection.provider.role == .sidecar
        isSmallImage = content.imageSize.map { max($0.width, $0.height) <= limits.iconPixels } ?? false
        let form = selection.story.tried.first { $0.representation == selection.story.chosen }?.form
        isCaption = form == .text && contentClass == .text && content.object.size <= limits.delivery.captionBytes
        declaredGroup = selection.provider.group
        self.type = type
        let name = selection.story.name.lowercased()
        isNamedAsSidecar = name.hasSuffix(".xmp") || name.hasSuffix(".aae")
        let stem = Array(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex).utf8)
        self.stem = stem.isEmpty ? nil : .stem(stem)
    }

    /// Whether its type is a plain property list, and not a format built on one.
    var isPropertyList: Bool { DeclaredType(type.description).isPropertyList }

    var isLink: Bool { contentClass == .link }
}
