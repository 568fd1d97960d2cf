import Foundation
import SinkKit
import SinkTools

/// Captures links: reads them from link files, normalizes them, and writes one record for each.
///
/// It opens the address only if the settings say so. The record of a link, ``LinkRecord``, is a product of role `link`. The metadata repeat
/// the record of the first link.
@main struct LinkCapture: Sink {
    static let id = "link-capture"
    static let version = "0.1.0"
    static let features: [SinkProtocol.Feature] = [.transfer]
    /// So that several downloads are recorded at a time. More pages of the largest size would not fit into the folder of the sink.
    static let maxInFlight = 4
    /// The longest caption and title in a record, in characters.
    static let maximumTextLength = 10_000

    private var downloads = false

    mutating func configure(_ configuration: JSONValue) throws {
        if case .bool(true)? = configuration["download"] { downloads = true }
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        do {
            let links = try LinkFile(type: part.type, content: boundedContent(of: path)).links
            return try capture(links, of: delivery)
        } catch let refusal as LinkRefusal {
            return .declined(why: refusal.why)
        }
    }

    /// Leaves refused links out of a list, and declines the delivery only if no link remains.
    private func capture(_ links: [String], of delivery: Delivery) throws -> Settlement {
        let parsed = links.map { link in Result(catching: { () throws(LinkRefusal) in try Link(link) }) }
        let good = parsed.compactMap { try? $0.get() }
        guard !good.isEmpty else {
            _ = try parsed.first?.get()
            throw LinkRefusal(why: "the file holds no link")
        }
        if downloads, good.count == 1, delivery.transfer == nil, let address = good[0].downloadable {
            return .transferring(Settlement.Transfer("GET", address, headers: SavedPage.headers, download: true))
        }
        var records = try good.map { try record(of: $0, in: delivery) }
        let page = try delivery.transfer.map { try SavedPage($0, to: delivery.out) }
        records[0].title = records[0].title ?? page?.title
        var metadata = try records[0].metadata()
        let isUnasked = downloads && good.count == 1 && good[0].hasCredentials
        let unasked = isUnasked ? SavedPage.unsaved("its address has a user or a password, which are not sent") : [:]
        metadata.merge(page?.metadata ?? unasked) { own, _ in own }
        if links.count > 1 {
            metadata["links"] = .integer(Int64(good.count))
            metadata["refused"] = .integer(Int64(links.count - good.count))
        }
        return .delivered(
            metadata: .object(metadata), products: try write(records, to: delivery.out) + (page?.products ?? []))
    }

    private func record(of link: Link, in delivery: Delivery) throws -> LinkRecord {
        let caption = try delivery.parts.first { $0.role == .caption }?.path.map { path in
            String(decoding: try boundedContent(of: path), as: UTF8.self)
        }
        return LinkRecord(
            url: link.original, normalized: link.normalized, host: link.host,
            title: delivery.title.flatMap(shortened), caption: (caption ?? delivery.text).flatMap(shortened),
            icon: delivery.parts.first { $0.role == .preview }?.sha256)
    }

    private func write(_ records: [LinkRecord], to out: String) throws -> [Product] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return try records.enumerated().map { index, record in
            let name = index == 0 ? "link.json" : "link-\(index + 1).json"
            try encoder.encode(record).write(to: URL(filePath: out).appending(path: name))
            return Product(path: name, role: "link", type: "application/json")
        }
    }

    private func shortened(_ text: String) -> String? {
        let short = text.prefix(Self.maximumTextLength).trimmingCharacters(in: .whitespacesAndNewlines)
        return short.isEmpty ? nil : short
    }
}

/// The record of one link.
struct LinkRecord: Codable, Equatable {
    /// The address, as shared, without a password.
    var url: String
    /// The normalized address, the same for all spellings of it; see ``Link/normalized``.
    var normalized: String
    var host: String?
    var title: String?
    /// The text that accompanied the link.
    var caption: String?
    /// The SHA-256 digest of the preview picture.
    var icon: String?

    func metadata() throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(self))
    }
}

/// The reason why a link, or the file that should hold one, is declined.
struct LinkRefusal: Error, Equatable {
    var why: String
}
