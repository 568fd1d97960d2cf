internal import ShareModel

/// One claim, understood.
struct Claim {
    /// The types that it names; a file name can name several.
    var types: [MediaType]
    /// The classes that it allows; none where it says nothing.
    var contentClasses: Set<ContentClass>
    /// `declared public.png`, `named *.pdf`.
    var phrase: String
    /// The same as evidence: `declared: public.png`, `name: *.pdf`.
    var evidence: Evidence

    /// Whether it says anything at all.
    var isSpecific: Bool { !contentClasses.isEmpty }

    /// A longer extension is shortened in words.
    private static let extensionLimit = 24

    /// The claims that were made, the declared type first.
    static func all(_ claims: TypeClaims, database: SharedMIMEDatabase) -> [Claim] {
        [claims.declared.map(declared), claims.name.map { named($0, database: database) }].compactMap { $0 }
    }

    private static func declared(_ text: String) -> Claim {
        let type = DeclaredType(text)
        let classes: Set<ContentClass> =
            switch type.kind {
            case .concrete: Set(type.mediaType.map { [ContentClass(of: $0)] } ?? [])
            case .abstract(let contentClass): [contentClass]
            // A URL is a form in which content is handed over, and says nothing of the content.
            case .fileURL, .url, .generic, .unknown: []
            }
        return Claim(
            types: type.mediaType.map { [$0] } ?? [], contentClasses: classes, phrase: "declared \(type.text)",
            evidence: Evidence("declared", type.text))
    }

    private static func named(_ name: String, database: SharedMIMEDatabase) -> Claim {
        let types = database.types(forName: name)
        let pattern = Self.pattern(name)
        return Claim(
            types: types, contentClasses: Set(types.map { ContentClass(of: $0) }), phrase: "named \(pattern)",
            evidence: Evidence("name", pattern))
    }

    /// `*.md` for `Notes.md`; names are hostile, so control characters are left out.
    private static func pattern(_ name: String) -> String {
        let name = name.split(separator: "/").last ?? ""
        let end = name.split(separator: ".").last.map { String($0.prefix(extensionLimit)) } ?? ""
        let safe = String(String.UnicodeScalarView(end.unicodeScalars.filter { !isControl($0) }))
        return name.contains(".") ? "*.\(safe)" : safe
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
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
