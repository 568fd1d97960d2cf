internal import ShareModel

extension ExtensionItem {
    /// The texts and links that the item's attachments came with; `nil` where there are none, as for every plain file.
    var searchText: String? {
        let texts = attachments.flatMap(\.representations).compactMap { representation -> String? in
            switch representation.content {
            case .text(let text), .link(let text): text
            case .data, .file, .part: nil
            }
        }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }
}
