import ShareModel

/// A delivery as one line.
struct DeliveryText {
    let record: DeliveryRecord
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    /// `delivered   pdf-import   4f3a12b0c9d1  invoice.pdf`
    ///
    /// - Parameter name: the name of the content; `nil` if it is not known.
    func line(name: String?) -> StyledLine {
        let outcome: StyledLine = "\(record.outcome.rawValue, record.outcome.style)"
        var line: StyledLine = "\(outcome.padded(to: 11))  \(record.sink)  \(ShortID.of(record.id), .dim)"
        if let name { line += "  \(name: name)" }
        if let why = record.why { line += "  \(WhyText.line(why, containerOption))" }
        return line
    }

    /// The reason of a failure, and the command that tries again.
    var trouble: StyledLine { "\("✗ \(record.sink) \(record.outcome.rawValue)", .bad): \(why)\(again)" }

    /// What became of a delivery after its package had its line; `nil` if it was delivered without a warning:
    ///
    ///     ✗ invoice.pdf → pdf-import failed: it crashed — again: sluice deliver --retry 4f3a12b0c9d1
    func news(name: String) -> StyledLine? {
        let what = "\(record.sink) \(record.outcome.rawValue)"
        return switch record.outcome {
        case .delivered: warning.map { "\("!", .warning) \(name: name) → \($0)" }
        case .duplicate: nil
        case .declined: "· \(name: name) → \(what, .dim): \(why)"
        // A run that was interrupted tried some deliveries not at all.
        case .pending: "\("!", .warning) \(name: name) → \(what, .warning)\(record.why == nil ? "" : ": \(why)")"
        case .failed, .quarantined: "\("✗", .bad) \(name: name) → \(what, .bad): \(why)\(again)"
        }
    }

    /// The damage that the sink found, or what it could not do; see the page SinkProtocol, under `fail`. `nil` if there
    /// is none.
    var warning: StyledLine? {
        guard record.hasWarning, case .object(let found) = record.metadata else { return nil }
        let problem: String? =
            if case .string(let text) = found["problem"] { WhyText.line(text, containerOption) } else { nil }
        let isDamaged = found["damaged"] == .bool(true)
        let what = isDamaged ? ["the content is damaged", problem] : [problem ?? "a part is missing"]
        return "\(record.sink): \(what.compactMap { $0 }.joined(separator: ": "))"
    }

    private var why: String { record.why.map { WhyText.line($0, containerOption) } ?? "the sink gave no reason" }

    private var again: StyledLine {
        " — again: \(command: "sluice deliver --retry \(ShortID.of(record.id))\(containerOption)")"
    }
}

/// The open deliveries of one sink as one line.
struct OpenDeliveriesText {
    let open: OpenDeliveries
    /// In milliseconds since 1970.
    let now: Int64
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine

    /// `3 deliveries wait for upload, next try in 12 s: the service does not answer`
    var line: StyledLine {
        guard open.needs == nil else { return NeedText(open: open, again: containerOption).line }
        let head: StyledLine =
            "\(Units.count(open.count, "delivery")) \(open.count == 1 ? "waits" : "wait") for \(open.sink)"
        let time: StyledLine = open.due > now ? ", next try in \(Units.duration(.milliseconds(open.due - now)))" : ""
        return open.why == nil
            ? "\(head)\(time)"
            : "\(head)\(time): \(WhyText.line(NeedText.worded(open, containerOption), containerOption))"
    }
}

/// A reason that may quote the log of a sink, with many lines.
enum WhyText {
    /// The reason in one line: its first and last one. A traceback ends with its cause.
    ///
    /// - Parameter containerOption: see ``SummaryText/containerOption``.
    static func line(_ why: String, _ containerOption: StyledLine) -> String {
        let lines = lines(why, containerOption)
        guard let first = lines.first, let last = lines.last, lines.count > 1 else { return lines.first ?? "" }
        return "\(first) \(lines.count > 2 ? "… " : "")\(last)"
    }

    /// Its lines, without empty ones. The host's own remedies, at the end, have the program's words.
    static func lines(_ why: String, _ containerOption: StyledLine) -> [String] {
        var lines = why.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
        if let last = lines.popLast() {
            lines.append(
                RemedyText.sentence(
                    last, endingIn: .makeRoomOrLowerReserve, .listTransfers, containerOption: containerOption))
        }
        return lines
    }
}
