/// The names of content that came in without one.
package enum InventedName {
    /// The name by the content's class, such as `link` or `image`; `data` for a type without a class.
    package static func of(_ type: MediaType) -> String {
        switch type {
        case .uriList: "link"
        case .plainText: "text"
        default:
            // These two classes have no word that says more to a person.
            switch ContentClass(of: type) {
            case .binary, .other: "data"
            case let known: known.rawValue
            }
        }
    }

    /// A name as people read it: `untitled image` for an invented one.
    package static func words(_ name: String) -> String {
        names.contains(name) ? "\(SafeName.fallback) \(nouns[name] ?? name)" : name
    }

    private static let names: Set<String> = Set(ContentClass.allCases.map(\.rawValue))
        .subtracting([ContentClass.binary.rawValue, ContentClass.other.rawValue]).union(["data"])
    private static let nouns = ["pdf": "PDF", "office": "document", "html": "page", "data": "file"]
}

extension Receipt {
    /// The name of the file that leads the first group, or else that of the first provider; `nil` if there is none.
    public var leadName: String? {
        let lead = groups.first?.providers.first
        return (providers.first { $0.index == lead } ?? providers.first)?.name
    }
}
