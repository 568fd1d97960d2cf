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
        case .named(let name): "named \(NamePattern.pattern(of: name))"
        }
    }

    /// The same as evidence: `declared: public.png`, `name: *.pdf`.
    var evidence: Evidence {
        switch source {
        case .declared(let text): Evidence("declared", text)
        case .named(let name): Evidence("name", NamePattern.pattern(of: name))
        }
    }

    /// The claims that were made, the declared type first.
    static func all(_ claims: TypeClaims, database: SharedMIMEDatabase) -> [Claim] {
        let named = claims.name.map { Claim(name: $0, types: database.types(forName: $0)) }
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

    /// What a file name says, whose patterns are those of `types`.
    init(name: String, types: [MediaType]) {
        source = .named(name)
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

/// The part of a file name that is its claim, in words.
enum NamePattern {
    /// A longer extension is shortened.
    private static let extensionLimit = 24

    /// `*.md` for `Notes.md`; names are hostile, so control characters are left out.
    static func pattern(of name: String) -> String {
        if let plain = plainEnding(of: name) { return "*.\(plain)" }
        let name = name.split(separator: "/").last ?? ""
        let end = name.split(separator: ".").last.map { String($0.prefix(extensionLimit)) } ?? ""
        let safe = String(String.UnicodeScalarView(end.unicodeScalars.filter { !isControl($0) }))
        return name.contains(".") ? "*.\(safe)" : safe
    }

    /// The extension of a name that has a short one of ASCII, as nearly all have.
    private static func plainEnding(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name.utf8[dot...].dropFirst()
        let isPlain = ending.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        return isPlain && (1...extensionLimit).contains(ending.count) ? String(ending) : nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
