internal import ShareModel

extension ExtensionItem {
    /// The number of bytes of ``searchText``. The catalog indexes no more of a package's text.
    private static let searchBytes = 64 << 10

    /// The first texts and links among the item's attachments; `nil` if there are none, as for every plain file.
    var searchText: String? {
        var found = ""
        for representation in attachments.lazy.flatMap(\.representations) {
            switch representation.content {
            case .text(let text), .link(let text):
                found += (found.isEmpty ? "" : "\n") + text.cut(toBytes: Self.searchBytes)
            case .data, .file, .part: continue
            }
            if found.utf8.count >= Self.searchBytes { break }
        }
        return found.isEmpty ? nil : found.cut(toBytes: Self.searchBytes)
    }
}
