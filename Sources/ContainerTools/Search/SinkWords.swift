internal import ShareModel

/// The words in what a sink found, by their purpose. The guide of the bundled sinks has the usual names.
struct SinkWords {
    /// The words of columns.
    private(set) var words: [(SearchColumn, [String])] = []
    /// All other strings.
    private(set) var others: [String] = []
    /// The date of the content, in the form of ``SearchDate``.
    private(set) var date: String?

    /// The title of the content.
    var title: String? { words.first { $0.0 == .title }?.1.first }

    /// The number of strings under one key that count.
    private static let limit = 10_000

    private static let columns: [String: SearchColumn] = [
        "title": .title, "author": .author, "from": .author, "artist": .author, "to": .people, "cc": .people,
        "attachments": .names, "keywords": .tags, "video_codec": .kind, "audio_codec": .kind,
    ]
    /// Values that describe the file and not what it is about: a search for "jpeg" finds the type already.
    private static let technical: Set<String> = [
        "modified", "format", "no_text", "no_thumbnail", "problem", "normalized", "icon", "encoding",
    ]

    init(_ metadata: JSONValue?) {
        guard case .object(let values) = metadata else { return }
        // Sorted, because a dictionary has another order in each process.
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where !Self.technical.contains(key) {
            var strings: [String] = []
            Self.collect(value, &strings)
            if key == "date" {
                date = strings.first.flatMap(SearchDate.text)
            } else if let column = Self.columns[key] {
                words.append((column, strings))
            } else {
                others += strings
            }
        }
    }

    /// Whether the words of a delivery count. One that is open may have been made before, and keeps its words until the
    /// sink answers.
    static func count(in outcome: DeliveryOutcome) -> Bool { [.delivered, .duplicate, .pending].contains(outcome) }

    private static func collect(_ value: JSONValue, _ strings: inout [String]) {
        guard strings.count < limit else { return }
        switch value {
        case .string(let text): strings.append(text)
        case .array(let values): for value in values { collect(value, &strings) }
        case .object(let values):
            for (_, value) in values.sorted(by: { $0.key < $1.key }) { collect(value, &strings) }
        case .null, .bool, .integer, .number: break
        }
    }
}
