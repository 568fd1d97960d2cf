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
}
