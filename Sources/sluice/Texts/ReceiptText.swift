import ShareModel

/// A package as one line, with its problems and warnings on indented lines below:
///
///     accepted   invoice.pdf    application/pdf   42 KB → pdf-import
///
/// On a terminal, a long name is cut in its middle, so that the line fits. A narrow terminal shows neither type nor sink.
struct ReceiptText {
    let receipt: Receipt
    var names = SourceNames()
    /// See ``SummaryText/containerOption``.
    var containerOption: StyledLine = ""
    /// Whether a pending delivery is one that the run will make, or that a real run would make. It then needs no word.
    var isOpen = false
    var layout = ResultLayout()

    var lines: [StyledLine] {
        let indent = StyledLine(stringLiteral: String(repeating: " ", count: layout.indent))
        return [head.fitted(to: layout.columns)] + details.map { indent + $0 }
    }

    private var head: StyledLine {
        let outcome = receipt.outcome.column
        switch receipt.outcome {
        case .failed:
            return "\(outcome)  \(names.name(of: receipt), .strong)"
        case .skipped:
            return "\(outcome)  \(layout.name(names.name(of: receipt)))  \(receipt.reason ?? "", .dim)"
        case .duplicate:
            return "\(outcome)  \(content)\(original)"
        case .accepted, .partial:
            return "\(outcome)  \(content)  \(Units.bytes(receipt.bytes))\(layout.isNarrow ? "" : destination)"
        }
    }

    private var content: StyledLine {
        let name = layout.name(names.name(of: receipt), .strong)
        return layout.isNarrow ? name : "\(name)  \(layout.type(Self.types(receipt)))"
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
            if delivery.outcome != .delivered, !(isOpen && delivery.outcome == .pending) {
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
        if !isOpen {
            lines += receipt.deliveries.filter { $0.outcome == .pending }.compactMap { delivery in
                delivery.why.map { "\("!", .warning) \(delivery.sink) pending: \(WhyText.line($0))" }
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

/// The columns of a line about a package.
struct ResultLayout {
    /// The width of the terminal; `nil` if there is none, and nothing is cut.
    var columns: Int?

    private static let nameColumns = 24
    private static let widestName = 60
    private static let typeColumns = 17
    /// The columns beside the name: outcome, type, size and a sink.
    private static let otherColumns = 56
    /// The columns beside the name on a narrow terminal: outcome and size.
    private static let narrowColumns = 22

    /// Whether there is no room for type and sink.
    var isNarrow: Bool { columns.map { $0 < Self.nameColumns + Self.otherColumns - 8 } ?? false }

    /// The indent of the lines below.
    var indent: Int { isNarrow ? 2 : 11 }

    func name(_ text: String, _ style: StyledLine.Style = .plain) -> StyledLine {
        guard let columns else { return StyledLine(text, style).padded(to: Self.nameColumns) }
        let wanted = columns - (isNarrow ? Self.narrowColumns : Self.otherColumns)
        let width = min(max(wanted, 8), Self.widestName)
        return StyledLine(DisplayWidth.fitMiddle(text, columns: width), style).padded(to: width)
    }

    func type(_ text: String) -> StyledLine {
        let text = columns == nil ? text : DisplayWidth.fit(text, columns: Self.typeColumns)
        return StyledLine(text, .plain).padded(to: Self.typeColumns)
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
