internal import ShareModel

/// Ranks the items of a package, which all describe the same resource. The rows are a table, read from the top.
///
/// An item's rank is the first row that any of its providers matches. Among items of one rank, those with more
/// attachments come first, then the sender's order decides. Ranking opens nothing.
struct ResolvePolicy {
    struct Row {
        /// The row's name in receipts.
        let name: String
        /// The real share that the row was made for.
        let learned: String
        let matches: @Sendable (ProviderClaim) -> Bool
    }

    let rows: [Row]

    /// The name of the rank of an item with a text and no attachments.
    static let textAlone = "text of its own"
    /// The name of the rank of an empty item.
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
        Row(name: "property list", learned: "a browser shares its script's results, which repeat the link") {
            !$0.isPreview
        },
        Row(name: "preview alone", learned: "a messenger shares a preview picture and nothing else") { _ in true },
    ])

    /// An item and the name of its rank.
    struct Ranked {
        let index: Int
        let item: ExtensionItem
        let rule: String
    }

    /// The items, the best one first.
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
