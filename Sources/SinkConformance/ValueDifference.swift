internal import ShareModel
internal import SinkHost

/// The differences of two JSON values.
enum ValueDifference {
    /// One line for each difference, `place: expected …, got …`, in the order of the places.
    static func between(_ expected: JSONValue, _ found: JSONValue, at place: String) -> [String] {
        switch (expected, found) {
        case (.object(let expected), .object(let found)):
            return Set(expected.keys).union(found.keys).sorted().flatMap { key in
                lines(expected[key], found[key], "\(place).\(key)")
            }
        case (.array(let expected), .array(let found)):
            return (0..<max(expected.count, found.count)).flatMap { index in
                lines(
                    index < expected.count ? expected[index] : nil, index < found.count ? found[index] : nil,
                    "\(place)[\(index)]")
            }
        default: return lines(expected, found, place)
        }
    }

    private static func lines(_ expected: JSONValue?, _ found: JSONValue?, _ place: String) -> [String] {
        if expected == found { return [] }
        if let expected, let found, isNested(expected), isNested(found), expected.kind == found.kind {
            return between(expected, found, at: place)
        }
        return ["\(place): expected \(words(expected)), got \(words(found))"]
    }

    private static func isNested(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: true
        default: false
        }
    }

    private static func words(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        guard let bytes = try? JSONLines.encode(value) else { return "a value that cannot be written as JSON" }
        return String(decoding: bytes, as: UTF8.self).cut(toBytes: 200)
    }
}
