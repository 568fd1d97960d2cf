import Markup
import SinkKit
import SinkTools

/// Collects the texts of elements by name: the properties of OOXML, ODF and EPUB.
final class DocumentProperties: MarkupHandler {
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
        current += bytes.prefix(max(0, 4 * Findings.maximumTextLength - current.count))
    }

    func end(_ name: String) {
        let text = String(decoding: current, as: UTF8.self).cleaned()
        guard !text.isEmpty, count < Self.maximumValues else { return }
        count += 1
        if name == "meta", values["modified"] == [""] {
            values["modified"] = [text]
        } else {
            values[name, default: []].append(text)
        }
        current = []
    }

    func add(_ name: String, _ text: String) {
        values[name, default: []].append(text)
    }

    /// The metadata of an answer. Later programs write `creation-date` and `date` in ODF, `created` and `modified` in
    /// OOXML; in EPUB, `date` is the day of publication.
    func findings(isODF: Bool = false) -> Findings {
        var findings = Findings()
        let authors = values[isODF ? "initial-creator" : "creator"] ?? values["creator"] ?? []
        findings.set("title", values["title"]?.first)
        findings.set("author", authors.joined(separator: ", "))
        findings.set("description", values["description"]?.joined(separator: "; "))
        findings.set("language", values["language"]?.first)
        findings.set("date", date(isODF ? values["creation-date"] : values["created"] ?? values["date"]))
        findings.set("modified", date(isODF ? values["date"] : values["modified"]))
        // EPUB calls its keywords subjects; there may be many of them.
        let subjects = values["subject"] ?? []
        if subjects.count == 1 { findings.set("subject", subjects[0]) }
        let listed = (values["keywords"] ?? []).flatMap { $0.split { $0 == "," || $0 == ";" }.map(String.init) }
        findings.set(
            "keywords",
            list: listed + (values["keyword"] ?? []) + (subjects.count > 1 ? subjects : [])
                + (values["category"] ?? []))
        if let pages = values["Pages"]?.first.flatMap({ Int64($0) }), (1..<1_000_000).contains(pages) {
            findings["pages"] = .integer(pages)
        }
        return findings
    }

    /// The beginnings of dates that programs write if they know none: no year, and the earliest times of Windows and of a ZIP
    /// archive.
    private static let unknownDates = ["0000", "1601-01-01", "1980-01-01T00:00:00"]

    /// Dates are in ISO 8601 already; parts of a second go.
    private func date(_ all: [String]?) -> String? {
        guard let value = all?.first, value.first?.isNumber == true, value.count >= 4,
            !Self.unknownDates.contains(where: value.hasPrefix)
        else { return nil }
        let parts = value.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[0] + parts[1].drop { $0.isNumber }) : value
    }
}
