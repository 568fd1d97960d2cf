internal import ShareModel

/// The texts and links in the description of a package, also those that the selector did not choose: the address of a
/// picture is one of the words by which a person finds it.
enum DescriptionTexts {
    /// The size of the largest description that is read, in bytes. The chosen texts of a larger one are indexed all the
    /// same.
    static let limit = 1 << 20

    /// The texts of one item's attachments in order; none if it is no description.
    static func find(in description: String, item: Int) -> [String] {
        guard let manifest = try? JSONValue(json: Array(description.utf8)),
            case .array(let items)? = manifest["items"], items.indices.contains(item)
        else { return [] }
        let representations = items[item].elements("attachments").flatMap { $0.elements("representations") }
        return representations.compactMap { representation in
            guard case .string(let text)? = representation["text"] ?? representation["link"] else { return nil }
            return text
        }
    }
}

extension JSONValue {
    /// The elements of the array that a key has; empty if it has none.
    fileprivate func elements(_ key: String) -> [JSONValue] {
        if case .array(let elements)? = self[key] { elements } else { [] }
    }
}
