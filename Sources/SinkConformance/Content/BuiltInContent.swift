internal import ShareModel
internal import SinkHost
internal import SinkKit

/// Small content of common types, for sinks that have no samples.
enum BuiltInContent {
    /// At least one content for each type or pattern that a sink accepts, without repetition.
    static func inputs(for accepted: [SinkManifest.Acceptance]) -> [ConformanceInput] {
        var labels: Set<String> = []
        return accepted.prefix(acceptanceLimit).flatMap { inputs(for: $0.type) }
            .filter { labels.insert($0.label).inserted }
    }

    static let text = ConformanceInput(
        "text/plain", name: "rivers.txt",
        "The river rises in the hills.\nIt ends in the sea; \u{1F30A} näheres später.\n".utf8)

    // A manifest may accept 1,000 types, and some checks start a process for each content.
    private static let acceptanceLimit = 16

    private static let all: [ConformanceInput] = [
        text,
        ConformanceInput("text/uri-list", name: "link.txt", "https://example.org/rivers?id=7\n".utf8),
        ConformanceInput("application/pdf", name: "report.pdf", BuiltInDocuments.pdf),
        ConformanceInput("image/png", name: "square.png", BuiltInPictures.png),
        ConformanceInput("image/jpeg", name: "square.jpg", BuiltInPictures.jpeg),
        ConformanceInput("text/html", name: "page.html", BuiltInDocuments.page.utf8),
        ConformanceInput("message/rfc822", name: "letter.eml", BuiltInDocuments.mail.utf8),
        ConformanceInput("application/json", name: "values.json", #"{"rivers": [1, 2, 3]}"#.utf8),
        ConformanceInput("application/octet-stream", name: "bytes.bin", (0...255).map { UInt8($0) }),
    ]

    private static func inputs(for pattern: String) -> [ConformanceInput] {
        if pattern == "*/*" { return all }
        let fitting = all.filter { input in
            let type = input.parts.first?.type ?? ""
            return type == pattern || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
        }
        guard fitting.isEmpty else { return fitting }
        // The suite has no content of this type. Real content of the type can be damaged too, so the sink must cope
        // with any bytes.
        let type = pattern.hasSuffix("/*") ? pattern.dropLast() + "x-conformance" : Substring(pattern)
        return [ConformanceInput(String(type), name: "content", "some bytes of \(type)\n".utf8)]
    }
}
