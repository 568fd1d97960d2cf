internal import ShareModel

/// One claim, understood.
struct Claim {
    /// Who makes it.
    private enum Source {
        case declared(String)
        case named(String)
    }

    private let source: Source
    /// The types that it names; a file name can name several.
    let types: [MediaType]
    /// The classes that it allows; none where it says nothing.
    let contentClasses: Set<ContentClass>

    /// Whether it says anything at all.
    var isSpecific: Bool { !contentClasses.isEmpty }

    /// `declared public.png`, `named *.pdf`.
    var phrase: String {
        switch source {
        case .declared(let text): "declared \(text)"
        case .named(let pattern): "named \(pattern)"
        }
    }

    /// The same as evidence: `declared: public.png`, `name: *.pdf`.
    var evidence: Evidence {
        switch source {
        case .declared(let text): Evidence("declared", text)
        case .named(let pattern): Evidence("name", pattern)
        }
    }

    /// The claims that were made, the declared type first.
    static func all(_ claims: TypeClaims, database: SharedMIMEDatabase) -> [Claim] {
        let named = claims.name.map { Claim(name: $0, types: database.types(forName: $0), database: database) }
        return [claims.declared.map { Claim(declared: $0) }, named].compactMap { $0 }
    }

    /// What a sender declared.
    init(declared text: String) {
        let type = DeclaredType(text)
        source = .declared(type.text)
        types = type.mediaType.map { [$0] } ?? []
        contentClasses =
            switch type.kind {
            case .concrete: Set(type.mediaType.map { [ContentClass(of: $0)] } ?? [])
            case .abstract(let contentClass): [contentClass]
            // A URL is a form in which content is handed over, and says nothing of the content.
            case .fileURL, .url, .generic, .unknown: []
            }
    }

    /// What a file name says by the pattern that is behind `types`.
    init(name: String, types: [MediaType], database: SharedMIMEDatabase) {
        self.init(pattern: database.pattern(forName: name) ?? "", types: types)
    }

    /// What file names of a pattern say.
    init(pattern: String, types: [MediaType]) {
        source = .named(pattern)
        self.types = types
        contentClasses = Set(types.map { ContentClass(of: $0) })
    }

    /// Whether the claim and a type are the same, or the one is a kind of the other within one class.
    func fits(_ type: MediaType, database: SharedMIMEDatabase) -> Bool {
        let contentClass = ContentClass(of: type)
        if types.isEmpty {
            // All that is text in form is text to Apple, pages and source code, too.
            let isText = contentClasses.contains(.text) && database.conforms(type, to: .plainText)
            return isText || contentClasses.contains(contentClass)
        }
        return types.contains { claim in
            if database.conforms(type, to: claim) { return true }
            return type != .unknown && database.conforms(claim, to: type) && ContentClass(of: claim) == contentClass
        }
    }
}
