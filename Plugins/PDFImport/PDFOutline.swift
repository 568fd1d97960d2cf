import CPoppler

/// The titles of a document's outline.
enum PDFOutline {
    /// The largest number of entries that are looked at. An outline may lead back to itself.
    static let maximumEntries = 1_000
    /// The largest depth of entries.
    static let maximumDepth = 16

    /// The titles in the order of the document, each before those below it.
    static func titles(of document: OpaquePointer) -> [String] {
        var titles: [String] = []
        var left = maximumEntries
        if let first = poppler_index_iter_new(document) { add(first, depth: 1, &left, &titles) }
        return titles
    }

    /// Adds the entries of one level, and frees it.
    private static func add(_ level: OpaquePointer, depth: Int, _ left: inout Int, _ titles: inout [String]) {
        defer { poppler_index_iter_free(level) }
        repeat {
            left -= 1
            if let action = poppler_index_iter_get_action(level) {
                defer { poppler_action_free(action) }
                if let title = action.pointee.any.title { titles.append(String(cString: title)) }
            }
            guard depth < maximumDepth, left > 0, let below = poppler_index_iter_get_child(level) else { continue }
            add(below, depth: depth + 1, &left, &titles)
        } while left > 0 && poppler_index_iter_next(level) != 0
    }
}
