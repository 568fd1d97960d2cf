import ShareModel

/// A package as one line, with its problems and warnings on indented lines below:
///
///     accepted   invoice.pdf    application/pdf   42 KB → pdf-import
///
/// On a terminal, a long path loses its folders first, then the middle of its name. What does not fit beside the name
/// is below it, and never cut. A narrow terminal shows neither type nor sink.
struct ReceiptText {
    let receipt: Receipt
    var names = SourceNames()
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine
    /// Whether a pending delivery is one that the run will make, or that a real run would make. It then needs no word.
    var isOpen = false
    var layout = ResultLayout()

    var lines: [StyledLine] {
        let indent = StyledLine(stringLiteral: .spaces(layout.indent))
        var (line, rest) = head
        if let columns = layout.columns, (line + rest).width > columns, rest.width > 0 {
            let below = [line.withoutPadding.fitted(to: columns), indent + rest.withoutMargin]
            return below + details.map { indent + $0 }
        }
        line += rest
        return [line.fitted(to: layout.columns)] + details.map { indent + $0 }
    }

    /// The beginning of the first line, and what may be below it.
    private var head: (start: StyledLine, rest: StyledLine) {
        let outcome = receipt.outcome.column
        switch receipt.outcome {
        case .failed:
            let line: StyledLine = "\(outcome)  \(name(.strong, isAlone: true))"
            return (line.withoutPadding, "")
        case .skipped:
            return ("\(outcome)  \(name(isAlone: true))", "  \(receipt.reason ?? "", .dim)")
        case .duplicate:
            return ("\(outcome)  \(content)", original)
        case .accepted, .partial:
            return ("\(outcome)  \(content)  \(Units.bytes(receipt.bytes))", layout.isNarrow ? "" : destination)
        }
    }

    private func name(_ style: StyledLine.Style = .plain, isAlone: Bool = false) -> StyledLine {
        let isPath = ![.standardInput, .submitted, .link].contains(receipt.source.kind)
        return layout.name(names.name(of: receipt), style, isPath: isPath, isAlone: isAlone)
    }

    private var content: StyledLine {
        layout.isNarrow ? name(.strong) : "\(name(.strong))  \(layout.type(Self.types(receipt)))"
    }

    private var original: StyledLine {
        guard let id = receipt.duplicateOf else { return "" }
        return "  \("same as \(ShortID.of(id))", .dim)"
    }

    /// The sinks in order, each once. An outcome other than delivered is added in parentheses.
    private var destination: StyledLine {
        var names: [StyledLine] = []
        for delivery in receipt.deliveries {
            var name = StyledLine(delivery.sink, .plain)
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
        if let kept = receipt.kept {
            let size = kept.reduce(0) { $0 + $1.size }
            let show: StyledLine = "\(command: "sluice show \(ShortID.of(receipt.id))\(containerOption)")"
            lines.append("\(Units.bytes(size)) \(size == 1 ? "is" : "are") kept: \(show)")
        }
        for provider in receipt.providers where provider.outcome == .failed {
            // If a package of one provider fails, both have the same reason, and one line is enough.
            if let reason = receipt.reason, reason.contains(provider.reason) || provider.reason.contains(reason) {
                continue
            }
            lines.append("\("✗", .bad) \(provider.trouble)")
        }
        if receipt.hasNewWarnings { lines += warnings }
        if let earlier = receipt.supersedes {
            // The package of a duplicate is not new, so it is not obvious that it replaces anything.
            let words: StyledLine = receipt.outcome == .duplicate ? "is current now, in place of" : "replaces"
            lines.append("\(words) \(ShortID.of(earlier))")
        }
        let deliveries = receipt.deliveries
        if !isOpen {
            for delivery in deliveries where delivery.outcome == .pending {
                guard let why = delivery.why else { continue }
                lines.append("\("!", .warning) \(delivery.sink) pending: \(WhyText.line(why, containerOption))")
            }
        }
        for delivery in deliveries where delivery.outcome.isTrouble {
            lines.append(DeliveryText(record: delivery, containerOption: containerOption).trouble)
        }
        return lines
    }

    /// The warnings about the package and its content, and the damage that a sink found in it before.
    private var warnings: [StyledLine] {
        let ofPackage = receipt.warnings.map { warning -> StyledLine in
            let sentence = RemedyText.sentence(warning, endingIn: .retryDelivery, containerOption: containerOption)
            return "\("!", .warning) \(sentence)"
        }
        let ofContent = receipt.providers.flatMap { provider in
            let name: StyledLine = receipt.providers.count > 1 ? "\(name: provider.name): " : ""
            let found = provider.deliveries.filter { $0.outcome == .duplicate }.compactMap {
                DeliveryText(record: $0, containerOption: containerOption).warning
            }
            return provider.warnings.map { "\("!", .warning) \(name)\($0)" as StyledLine }
                + found.map { "\("!", .warning) \(name)\($0)" }
        }
        return ofPackage + ofContent
    }

    /// `image/jpeg`, or `4 × image/jpeg, video/mp4 and 2 more`, with the most frequent type first.
    static func types(_ receipt: Receipt) -> String {
        let present = receipt.present
        // Most packages are one file.
        if present.count == 1 { return TypeWord.of(present[0].type) }
        let shown = 2
        var counts: [(type: String, count: Int)] = []
        for type in present.map({ TypeWord.of($0.type) }) {
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
    /// The widest column of names. A longer name is cut only if the line would not fit.
    private static let widestColumn = 60
    /// The columns of the outcome.
    private static let outcomeColumns = 11
    private static let typeColumns = 17
    /// The columns beside the name: outcome, type, size and a sink.
    private static let otherColumns = 56
    /// The columns beside the name on a narrow terminal: outcome and size.
    private static let narrowColumns = 22

    /// Whether there is no room for type and sink.
    var isNarrow: Bool { columns.map { $0 < Self.nameColumns + Self.otherColumns - 8 } ?? false }

    /// The indent of the lines below.
    var indent: Int { isNarrow ? 2 : 11 }

    /// - Parameters:
    ///   - isPath: whether slashes separate folders.
    ///   - isAlone: whether neither type nor size follows.
    func name(_ text: String, _ style: StyledLine.Style, isPath: Bool, isAlone: Bool) -> StyledLine {
        guard let columns else { return StyledLine(text, style, columns: Self.nameColumns) }
        let column = max(columns - (isNarrow ? Self.narrowColumns : Self.otherColumns), 8)
        let room = isAlone ? max(columns - Self.outcomeColumns, 8) : column
        let fit = isPath ? DisplayWidth.fitPath : DisplayWidth.fitMiddle
        return StyledLine(fit(text, room), style, columns: min(column, Self.widestColumn))
    }

    /// The type. On a terminal, one that is too long loses what most types begin with.
    func type(_ text: String) -> StyledLine {
        var text = text
        if columns != nil, DisplayWidth.of(text) > Self.typeColumns {
            text = DisplayWidth.fit(text.replacing("application/", with: ""), columns: Self.typeColumns)
        }
        return StyledLine(text, .plain, columns: Self.typeColumns)
    }
}

/// The name of a type in a line. A type whose name is too long for the column has a short word.
enum TypeWord {
    private static let words = [
        "application/octet-stream": "unknown bytes",
        "application/msword": "doc",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
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
