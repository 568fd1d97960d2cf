import ShareModel

/// A settled package as one line, with its problems and warnings on indented lines below:
///
///     accepted   invoice.pdf    application/pdf   42 KB → pdf-import
///
/// With names of usual length a line fits into 80 columns.
struct ReceiptText {
    private static let nameColumns = 24
    private static let typeColumns = 17

    let receipt: Receipt
    var names = SourceNames()
    /// See ``SummaryText/containerOption``.
    var containerOption: StyledLine = ""
    /// Whether the receipt is a plan. A pending delivery is then one that a real run would make.
    var isPlan = false
    /// Reasons of pending deliveries that earlier lines of the run have stated in full.
    var reported: Set<String> = []

    var lines: [StyledLine] { [head] + details.map { "           " + $0 } }

    private var head: StyledLine {
        let outcome = receipt.outcome.column
        switch receipt.outcome {
        case .failed:
            return "\(outcome)  \(names.name(of: receipt), .strong)"
        case .skipped:
            let name: StyledLine = "\(names.name(of: receipt))"
            return "\(outcome)  \(name.padded(to: Self.nameColumns))  \(receipt.reason ?? "", .dim)"
        case .duplicate:
            return "\(outcome)  \(content)\(original)"
        case .accepted, .partial:
            return "\(outcome)  \(content)  \(Units.bytes(receipt.bytes))\(destination)"
        }
    }

    private var content: StyledLine {
        let name: StyledLine = "\(names.name(of: receipt), .strong)"
        let types: StyledLine = "\(Self.types(receipt))"
        return "\(name.padded(to: Self.nameColumns))  \(types.padded(to: Self.typeColumns))"
    }

    private var original: StyledLine {
        guard let id = receipt.duplicateOf else { return "" }
        return "  \("same as \(ShortID.of(id))", .dim)"
    }

    /// The sinks in order, each once. An outcome other than delivered is added in parentheses.
    private var destination: StyledLine {
        var names: [StyledLine] = []
        for delivery in receipt.deliveries {
            var name: StyledLine = "\(delivery.sink)"
            if delivery.outcome != .delivered, !(isPlan && delivery.outcome == .pending) {
                name += " \("(\(delivery.outcome.rawValue))", delivery.outcome.style)"
            }
            if !names.contains(name) { names.append(name) }
        }
        guard let first = names.first else { return "" }
        return names.dropFirst().reduce(" → \(first)") { "\($0), \($1)" }
    }

    private var details: [StyledLine] {
        var lines: [StyledLine] = []
        if receipt.outcome == .failed || receipt.outcome == .partial, let reason = receipt.reason {
            lines.append("\(receipt.source.shortened(reason), receipt.outcome.style)")
        }
        for provider in receipt.providers where provider.outcome == .failed {
            // If a package of one provider fails, both have the same reason, and one line is enough.
            if let reason = receipt.reason, reason.contains(provider.reason) || provider.reason.contains(reason) {
                continue
            }
            lines.append("\("✗", .bad) \(provider.trouble)")
        }
        lines += receipt.warnings.map { "\("!", .warning) \(RemedyText.sentence($0, endingIn: .retryDelivery))" }
        for provider in receipt.providers {
            lines += provider.warnings.map { warning in
                receipt.providers.count > 1
                    ? "\("!", .warning) \(name: provider.name): \(warning)" : "\("!", .warning) \(warning)"
            }
        }
        if let earlier = receipt.supersedes { lines.append("replaces \(ShortID.of(earlier))") }
        lines += receipt.deliveries.filter { $0.outcome == .pending }.compactMap { delivery in
            delivery.why.map { why in
                reported.contains(why)
                    ? "\("!", .warning) \(delivery.sink) pending for the same reason"
                    : "\("!", .warning) \(delivery.sink) pending: \(WhyText.line(why))"
            }
        }
        let troubled = receipt.deliveries.filter(\.outcome.isTrouble)
        return lines + troubled.map { DeliveryText(record: $0, containerOption: containerOption).trouble }
    }

    /// `image/jpeg`, or `4 × image/jpeg, video/mp4 and 2 more`, with the most frequent type first.
    static func types(_ receipt: Receipt) -> String {
        let shown = 2
        var counts: [(type: String, count: Int)] = []
        for type in receipt.present.map({ TypeWord.of($0.type) }) {
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

/// The name of a type in a line. A type whose name is too long for the column has a short word.
enum TypeWord {
    private static let words = [
        "application/octet-stream": "unknown bytes",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.oasis.opendocument.text": "odt",
        "application/vnd.oasis.opendocument.spreadsheet": "ods",
        "application/vnd.oasis.opendocument.presentation": "odp",
        "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/x-mswinurl": "url file",
    ]

    static func of(_ type: MediaType?) -> String {
        let name = (type ?? .unknown).description
        return words[name] ?? name
    }
}
