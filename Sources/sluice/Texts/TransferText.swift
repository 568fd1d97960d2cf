import ShareModel
import Transfers

/// A transfer in a line.
struct TransferText {
    let record: TransferRecord

    init(_ record: TransferRecord) { self.record = record }

    var line: StyledLine {
        let order = record.order
        var line: StyledLine =
            "\(status) \(String(order.key.prefix(12)), .dim)  \(name: order.name ?? "")  \(amount)  \(order.head.method) \(name: place)"
        if let login = order.head.login { line += " as \(name: login.user)" }
        if record.outcome != .finished, let why = record.why { line += " — \(why)" }
        if isWaiting {
            line += ", again \(LocalTime.second(Timestamp(nanoseconds: record.due * 1_000_000)))"
        }
        return line
    }

    private var isDownload: Bool { record.order.download != nil }

    private var isWaiting: Bool { record.status == .open && record.due > Clock.systemNanoseconds() / 1_000_000 }

    private var status: StyledLine {
        switch record.outcome {
        case .open where isWaiting: "\("waiting ", .warning)"
        case .open where !record.hasStarted: "\("queued  ", .dim)"
        case .open: "\(isDownload ? "fetching" : "sending ", .strong)"
        case .finished, .used: "\(isDownload ? "fetched " : "sent    ", .good)"
        case .failed: "\("failed  ", .bad)"
        case .canceled: "\("canceled", .dim)"
        }
    }

    private var amount: String {
        guard let size = Self.size(record) else { return Units.bytes(record.sent) }
        return record.status == .open && record.sent > 0
            ? "\(Units.bytes(record.sent)) of \(Units.bytes(size))" : Units.bytes(size)
    }

    /// The bytes that are sent or fetched; `nil` for a download that has not ended.
    static func size(_ record: TransferRecord) -> Int64? {
        guard record.order.download != nil else { return record.size }
        guard case .answered(let answer)? = record.end else { return nil }
        return answer.file?.size ?? 0
    }

    private var place: String {
        let order = record.order
        let url = order.head.url
        guard let login = order.head.login, !url.contains("://") else { return url }
        return "\(login.account):\(url.isEmpty ? "/" : url)"
    }

    static func line(_ step: TransferStep) -> StyledLine {
        var line: StyledLine =
            "  \(LocalTime.second(Timestamp(nanoseconds: step.time * 1_000_000)))  \(step.kind.rawValue, .strong)  session \(step.session), process \(String(step.process))"
        if let why = step.why { line += ": \(why)" }
        return line
    }
}
