internal import ShareModel

extension ExtensionItem {
    /// The texts and links among the item's attachments; `nil` if there are none, as for every plain file.
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
