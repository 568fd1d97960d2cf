internal import Formats
internal import ShareModel

/// XML documents by their root element and its namespace, or their document type: SVG 1.1 and 2, XHTML 1.
struct XMLInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, "application/xml", .html]
    let concludes: Set<MediaType> = ["image/svg+xml", "application/xhtml+xml"]

    private struct Row {
        var name: Substring
        var namespace: String
        /// Whether the name is enough without a namespace.
        var needsNamespace: Bool
        var type: MediaType
    }

    private static let rows = [
        // Drawings written by hand often lack the namespace.
        Row(name: "svg", namespace: "http://www.w3.org/2000/svg", needsNamespace: false, type: "image/svg+xml"),
        Row(
            name: "html", namespace: "http://www.w3.org/1999/xhtml", needsNamespace: true,
            type: "application/xhtml+xml"),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let head = try sample.text()?.bytes, let prolog = XMLProlog(head) else { return nil }
        let root = prolog.root
        for row in Self.rows where root.localName == row.name {
            let isNamed = root.namespace == row.namespace || (root.namespace == nil && !row.needsNamespace)
            // XHTML that is not declared as XML is served and read as HTML.
            guard isNamed, row.name != "html" || head.starts(with: Array("<?xml".utf8)) else { continue }
            return Finding(row.type, Evidence("XML", "root element \(row.name)", at: Int64(prolog.rootOffset)))
        }
        return nil
    }
}
