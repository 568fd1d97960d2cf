import ShareModel

/// A settled package in a line, and indented below it what needs saying:
///
///     accepted   invoice.pdf    application/pdf   42 KB → pdf-import
struct ReceiptLine {
    private static let nameColumns = 28
    private static let typeColumns = 24

    let receipt: Receipt
    /// Whether the deliveries are those that would be made.
    var isPlan = false

    var lines: [Line] { [head] + details.map { "           " + $0 } }

    private var head: Line {
        let outcome = receipt.outcome.column
        switch receipt.outcome {
        case .failed:
            return "\(outcome)  \(receipt.source.text)"
        case .skipped:
            return "\(outcome)  \(receipt.source.text)   \(receipt.reason ?? "", .dim)"
        case .duplicate:
            return "\(outcome)  \(content)\(original)"
        case .accepted, .partial:
            return "\(outcome)  \(content)\(destination)"
        }
    }

    private var content: Line {
        let name: Line = "\(receipt.name, .strong)"
        let types: Line = "\(Self.types(receipt))"
        let size: Line = "\(Units.bytes(receipt.bytes))"
        return "\(name.padded(to: Self.nameColumns))  \(types.padded(to: Self.typeColumns))  \(size)"
    }

    private var original: Line {
        guard let id = receipt.duplicateOf else { return "" }
        return " \("= \(ShortID.of(id))", .dim)"
    }

    /// The sinks in their order, each once; what did not end well or has not ended says so.
    private var destination: Line {
        var names: [Line] = []
        for delivery in receipt.deliveries {
            var name: Line = "\(delivery.sink)"
            if delivery.outcome != .delivered, !(isPlan && delivery.outcome == .pending) {
                name += " \("(\(delivery.outcome.rawValue))", delivery.outcome.style)"
            }
            if !names.contains(name) { names.append(name) }
        }
        guard let first = names.first else { return "" }
        return names.dropFirst().reduce(" → \(first)") { "\($0), \($1)" }
    }

    private var details: [Line] {
        var lines: [Line] = []
        if receipt.outcome == .failed || receipt.outcome == .partial, let reason = receipt.reason {
            lines.append("\(receipt.source.shortened(reason), receipt.outcome.style)")
        }
        for provider in receipt.providers where provider.outcome == .failed {
            // A package of one provider fails for that one's reason.
            if let reason = receipt.reason, reason.contains(provider.reason) { continue }
            lines.append("\("✗", .bad) \(provider.name): \(provider.reason)")
        }
        lines += receipt.warnings.map { "\("!", .warning) \($0)" }
        for provider in receipt.providers {
            lines += provider.warnings.map { warning in
                receipt.providers.count > 1
                    ? "\("!", .warning) \(provider.name): \(warning)" : "\("!", .warning) \(warning)"
            }
        }
        if let earlier = receipt.supersedes { lines.append("replaces \(ShortID.of(earlier))") }
        return lines + receipt.deliveries.filter(\.outcome.isTrouble).map { DeliveryLine(record: $0).trouble }
    }

    /// `image/jpeg`, or `4 × image/jpeg, video/mp4 and 2 more`, the most frequent first.
    static func types(_ receipt: Receipt) -> String {
        let shown = 2
        var counts: [(type: String, count: Int)] = []
        for type in receipt.present.map({ $0.type?.description ?? MediaType.unknown.description }) {
            if let index = counts.firstIndex(where: { $0.type == type }) {
                counts[index].count += 1
            } else {
                counts.append((type, 1))
            }
        }
        // Ties keep the order of the providers.
        let sorted = counts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
        let words = sorted.prefix(shown).map { $0.count == 1 ? $0.type : "\($0.count) × \($0.type)" }
        let rest = sorted.dropFirst(shown).reduce(0) { $0 + $1.count }
        return words.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
