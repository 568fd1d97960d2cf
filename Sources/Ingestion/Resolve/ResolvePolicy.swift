internal import ShareModel

/// Which of several items that describe the same resource is taken: a table, read from the top.
///
/// An item's rank is the first row that any of its providers matches. Items of the same rank keep the sender's order,
/// those with more attachments first. Nothing is opened to rank them.
struct ResolvePolicy {
    struct Row {
        /// The row's name in receipts.
        let name: String
        /// The case in which it was learned.
        let learned: String
        let matches: @Sendable (ProviderClaim) -> Bool
    }

    let rows: [Row]

    /// The name of the rank of an item that has a text and no attachments.
    static let textAlone = "text of its own"
    /// The name of the rank of an item with nothing in it.
    static let nothing = "nothing"

    static let standard = ResolvePolicy(rows: [
        Row(name: "document as a file", learned: "a browser shares a PDF, and the page that links to it") {
            !$0.isPreview && $0.form == .file && $0.kind == .document
        },
        Row(name: "image as a file", learned: "a photo app shares the photo, and a link to its album") {
            !$0.isPreview && $0.form == .file && $0.kind == .image
        },
        Row(name: "file of no stated kind", learned: "a file manager claims public.data for everything") {
            !$0.isPreview && $0.form == .file
        },
        Row(name: "document as data", learned: "a mail program hands over an attachment from memory") {
            !$0.isPreview && $0.form == .data && $0.kind == .document
        },
        Row(name: "link", learned: "an app store shares a link, and the app's icon as image data beside it") {
            !$0.isPreview && $0.form == .link
        },
        Row(name: "image as data", learned: "a browser shares a picture of a page without its file") {
            !$0.isPreview && $0.form == .data && $0.kind == .image
        },
        Row(name: "data of no stated kind", learned: "a clipboard tool hands over bytes under public.data") {
            !$0.isPreview && $0.form == .data && $0.kind != .propertyList && $0.kind != .text
        },
        Row(name: "text", learned: "a page's selection, beside its link") {
            !$0.isPreview && ($0.form == .text || $0.kind == .text)
        },
        Row(name: "property list", learned: "a browser's script results, which only say again what the link says") {
            !$0.isPreview
        },
        Row(name: "preview alone", learned: "a messenger shares a picture of what it did not share") { _ in true },
    ])

    /// An item in the order in which it is to be tried.
    struct Ranked {
        let index: Int
        let item: ExtensionItem
        let rule: String
    }

    /// The items, best first.
    func rank(_ items: [ExtensionItem]) -> [Ranked] {
        let ranked = items.enumerated().map { index, item in (rank: rank(item), index: index, item: item) }
        let sorted = ranked.sorted { left, right in
            (left.rank, -left.item.attachments.count, left.index)
                < (right.rank, -right.item.attachments.count, right.index)
        }
        return sorted.map { Ranked(index: $0.index, item: $0.item, rule: name(of: $0.rank)) }
    }

    private func rank(_ item: ExtensionItem) -> Int {
        let claims = item.attachments.flatMap(ProviderClaim.all)
        if let row = rows.firstIndex(where: { row in claims.contains(where: row.matches) }) { return row }
        return item.text?.isEmpty == false ? rows.count : rows.count + 1
    }

    private func name(of rank: Int) -> String {
        rank < rows.count ? rows[rank].name : rank == rows.count ? Self.textAlone : Self.nothing
    }
}
