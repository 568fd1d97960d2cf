import SinkKit

/// Collects the texts of elements by name: the properties of OOXML, ODF and EPUB.
final class DocumentProperties: MarkupHandler {
    /// The longest text in an answer, in characters.
    static let maximumLength = 1_000
    /// The largest number of keywords in an answer.
    static let maximumKeywords = 100
    /// The largest number of values that are collected.
    private static let maximumValues = 500

    private(set) var values: [String: [String]] = [:]
    private var current: [UInt8] = []
    private var count = 0

    func start(_ name: String, _ attributes: MarkupAttributes) {
        current = []
        if name == "document-statistic", let pages = attributes["page-count"] { values["Pages"] = [pages] }
        if name == "meta", attributes["property"] == "dcterms:modified" { values["modified"] = [""] }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        current += bytes.prefix(max(0, 4 * Self.maximumLength - current.count))
    }

    func end(_ name: String) {
        guard let text = Self.clean(String(decoding: current, as: UTF8.self)), count < Self.maximumValues else {
            return
        }
        count += 1
        if name == "meta", values["modified"] == [""] {
            values["modified"] = [text]
        } else {
            values[name, default: []].append(text)
        }
        current = []
    }

    func add(_ name: String, _ text: String) {
        if let text = Self.clean(text) { values[name, default: []].append(text) }
    }

    /// The metadata of an answer. Later programs write `creation-date` and `date` in ODF, `created` and `modified` in
    /// OOXML; in EPUB, `date` is the day of publication.
    func metadata(isODF: Bool = false) -> [String: JSONValue] {
        var all: [String: JSONValue] = [:]
        let authors = values[isODF ? "initial-creator" : "creator"] ?? values["creator"] ?? []
        all["title"] = values["title"].flatMap { text($0.first) }
        all["author"] = text(authors.isEmpty ? nil : authors.joined(separator: ", "))
        all["description"] = values["description"].flatMap { text($0.joined(separator: "; ")) }
        all["language"] = values["language"].flatMap { text($0.first) }
        all["date"] = date(isODF ? values["creation-date"] : values["created"] ?? values["date"])
        all["modified"] = date(isODF ? values["date"] : values["modified"])
        // EPUB calls its keywords subjects; there may be many of them.
        let subjects = values["subject"] ?? []
        if let subject = subjects.first, subjects.count == 1 { all["subject"] = text(subject) }
        let listed = (values["keywords"] ?? []).flatMap { $0.split { $0 == "," || $0 == ";" }.map(String.init) }
        let keywords =
            listed + (values["keyword"] ?? []) + (subjects.count > 1 ? subjects : []) + (values["category"] ?? [])
        let clean = keywords.compactMap(Self.clean).prefix(Self.maximumKeywords)
        if !clean.isEmpty { all["keywords"] = .array(clean.map { .string($0) }) }
        if let pages = values["Pages"]?.first.flatMap({ Int64($0) }), (1..<1_000_000).contains(pages) {
            all["pages"] = .integer(pages)
        }
        return all
    }

    private func text(_ value: String?) -> JSONValue? { value.flatMap(Self.clean).map { .string($0) } }

    /// Dates are in ISO 8601 already; parts of a second go.
    private func date(_ all: [String]?) -> JSONValue? {
        guard let value = all?.first, value.first?.isNumber == true, !value.hasPrefix("0000"), value.count >= 4 else {
            return nil
        }
        let parts = value.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return .string(value) }
        return .string(String(parts[0] + parts[1].drop { $0.isNumber }))
    }

    /// The text without control characters and surrounding spaces; `nil` if it is empty.
    static func clean(_ text: String) -> String? {
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        let clean = String(words.map { String($0) }.joined(separator: " ").prefix(maximumLength))
        return clean.isEmpty ? nil : clean
    }
}
