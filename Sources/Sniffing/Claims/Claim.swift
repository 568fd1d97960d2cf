internal import ShareModel

/// One claim about a type, parsed.
struct Claim {
    /// The origin of the claim.
    private enum Source {
        case declared(String)
        case named(String)
    }

    private let source: Source
    /// The types that the claim names. A file name can name several.
    let types: [MediaType]
    /// The classes that the claim allows; empty if it says nothing.
    let contentClasses: Set<ContentClass>

    /// Whether the claim says anything about the type.
    var isSpecific: Bool { !contentClasses.isEmpty }

    /// The claim in a sentence: `declared public.png`, `named *.pdf`.
    var phrase: String {
        switch source {
        case .declared(let text): "declared \(text)"
        case .named(let pattern): "named \(pattern)"
        }
    }

    /// The claim as evidence: `declared: public.png`, `name: *.pdf`.
    var evidence: Evidence {
        switch source {
        case .declared(let text): Evidence("declared", text)
        case .named(let pattern): Evidence("name", pattern)
        }
    }

    /// The parsed claims, the declared type first.
    static func all(_ claims: TypeClaims, database: SharedMIMEDatabase) -> [Claim] {
        let named = claims.name.map { Claim(name: $0, types: database.types(forName: $0), database: database) }
        return [claims.declared.map { Claim(declared: $0) }, named].compactMap { $0 }
    }

    /// The claim of a declared type.
    init(declared text: String) {
        let type = DeclaredType(text)
        source = .declared(type.text)
        types = type.mediaType.map { [$0] } ?? []
        contentClasses =
            switch type.kind {
            case .concrete: Set(type.mediaType.map { [ContentClass(of: $0)] } ?? [])
            case .abstract(let contentClass): [contentClass]
            // A URL is a form in which content is sent. It says nothing about the content.
            case .fileURL, .url, .generic, .unknown: []
            }
    }

    /// The claim of a file name with the pattern that gave `types`.
    init(name: String, types: [MediaType], database: SharedMIMEDatabase) {
        self.init(pattern: database.pattern(forName: name) ?? "", types: types)
    }

    /// The claim of a file name with this pattern.
    init(pattern: String, types: [MediaType]) {
        source = .named(pattern)
        self.types = types
        contentClasses = Set(types.map { ContentClass(of: $0) })
    }

    /// Whether the claim and a type are the same, or one is a subtype of the other in the same class.
    func fits(_ type: MediaType, database: SharedMIMEDatabase) -> Bool {
        let contentClass = ContentClass(of: type)
        if types.isEmpty {
            // For Apple, web pages and source code are also text.
            let isText = contentClasses.contains(.text) && database.conforms(type, to: .plainText)
            return isText || contentClasses.contains(contentClass)
        }
        return types.contains { claim in
            if database.conforms(type, to: claim) { return true }
            // Every type is a subtype of `application/octet-stream`, so every claim would fit an unknown type.
            return type != .unknown && database.conforms(claim, to: type) && ContentClass(of: claim) == contentClass
        }
    }
}
