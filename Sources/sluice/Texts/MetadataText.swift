import ShareModel

/// What a sink found out, a line for each key, in the keys' order.
enum MetadataText {
    static func lines(_ metadata: JSONValue?) -> [Line] {
        guard let metadata, metadata != .null else { return [] }
        guard case .object(let entries) = metadata else { return ["\(name: text(metadata))"] }
        return entries.sorted { $0.key < $1.key }.map { "\(name: $0.key, .dim)  \(name: text($0.value))" }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): value
        case .array(let values): values.map(text).joined(separator: ", ")
        case .object(let entries):
            entries.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        }
    }
}
