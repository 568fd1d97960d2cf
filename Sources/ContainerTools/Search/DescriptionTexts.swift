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
            let items = manifest["items"]?.elements, items.indices.contains(item)
        else { return [] }
        let attachments = items[item]["attachments"]?.elements ?? []
        let representations = attachments.flatMap { $0["representations"]?.elements ?? [] }
        return representations.compactMap { ($0["text"] ?? $0["link"])?.text }
    }
}
