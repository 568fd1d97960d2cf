internal import Reading
internal import ShareModel
internal import Sniffing

/// The claim of one representation of a provider. It is known without opening the content.
struct ProviderClaim: Equatable {
    /// The forms that the policy distinguishes.
    enum Form: Equatable { case file, data, link, text }

    /// The kinds of content that the policy distinguishes.
    enum Kind: Equatable { case document, image, generic, propertyList, text, link }

    let form: Form
    let kind: Kind
    let isPreview: Bool

    /// The claims of all representations of a provider.
    static func all(of provider: ItemProvider) -> [ProviderClaim] {
        provider.representations.map { representation in
            ProviderClaim(
                form: form(of: representation), kind: kind(of: representation), isPreview: provider.role == .preview)
        }
    }

    private static func form(of representation: Representation) -> Form {
        let names = representation.declaredType.map(DeclaredType.init)
        switch representation.content {
        case .file, .part: return .file
        case .link(let text): return FileURL.begins(text) ? .file : .link
        case .data: return names?.kind == .fileURL ? .file : names?.kind == .url ? .link : .data
        case .text: return names?.kind == .fileURL ? .file : names?.kind == .url ? .link : .text
        }
    }

    private static func kind(of representation: Representation) -> Kind {
        if case .link(let text) = representation.content, !FileURL.begins(text) { return .link }
        guard let declared = representation.declaredType.map(DeclaredType.init) else {
            if case .text = representation.content { return .text }
            return .generic
        }
        if declared.isPropertyList { return .propertyList }
        if declared.kind == .url { return .link }
        switch declared.contentClass {
        case .image: return .image
        case .text: return .text
        case .link: return .link
        case nil, .other, .binary: return .generic
        case .pdf, .html, .mail, .office, .archive, .audio, .video, .font: return .document
        }
    }
}

extension DeclaredType {
    /// The class of the declared type; `nil` if the declaration names a form or nothing.
    var contentClass: ContentClass? {
        switch kind {
        case .abstract(let contentClass): contentClass
        case .concrete: mediaType.map(ContentClass.init(of:))
        case .fileURL, .url, .generic, .unknown: nil
        }
    }

    var isPropertyList: Bool {
        [
            "com.apple.property-list", "com.apple.xml-property-list", "com.apple.binary-property-list",
            "application/x-plist", "application/x-bplist",
        ].contains(text)
    }

    /// Whether the declared type names only a form, such as a URL, or nothing. It then claims nothing about the
    /// content.
    var isNoClaimOfContent: Bool {
        switch kind {
        case .fileURL, .url, .generic, .unknown: true
        case .concrete, .abstract: false
        }
    }
}
