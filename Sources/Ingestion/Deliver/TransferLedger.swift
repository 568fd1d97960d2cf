internal import GroupContainer
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import Synchronization
internal import SystemPackage
internal import Transfers

/// The record of a container's transfers, for reading. It is another process's, and may not exist yet.
final class TransferLedger: Sendable {
    /// What is known of the transfer of a delivery.
    enum Step {
        /// It is open.
        case isOpen
        /// - Parameter login: the login under which the service has answered.
        case ended(Delivery.EndedTransfer, login: String?)
        case failed(RequestFailure)
        case canceled
        /// A download has failed, or was canceled. The sink may do without.
        case notDownloaded(Delivery.EndedTransfer)
    }

    private let container: FilePath
    private let files: TransferFiles
    private let opened = Mutex<TransferStore?>(nil)

    init(_ container: FilePath) { (self.container, files) = (container, TransferFiles(container)) }

    /// `nil` if the container never had a transfer.
    private var store: TransferStore? {
        get throws {
            try opened.withLock { opened in
                if opened == nil { opened = try TransferStore(reading: container) }
                return opened
            }
        }
    }

    /// The transfer that a delivery was handed over to, with the number of its end, unless that was used; `nil` if there is none.
    func step(of delivery: String) throws -> (step: Step, end: Int64?)? {
        guard let record = try transfer(of: delivery) else { return nil }
        switch (record.status, record.end) {
        case (.open, _): return (.isOpen, nil)
        case (.finished, .answered(let answer)?):
            return (.ended(.init(answer, state: record.order.state), login: answer.login), record.endNumber)
        case (.failed, .failed(let failure)?) where record.order.download != nil:
            let reason = HostMessage.RequestFailure(class: FailureClass(failure.kind), why: failure.why)
            return (.notDownloaded(.init(state: record.order.state, status: nil, failure: reason)), record.endNumber)
        case (.canceled, _) where record.order.download != nil:
            let reason = HostMessage.RequestFailure(class: .permanent, why: "the download was canceled")
            return (.notDownloaded(.init(state: record.order.state, status: nil, failure: reason)), record.endNumber)
        case (.failed, .failed(let failure)?): return (.failed(failure), record.endNumber)
        case (.canceled, _): return (.canceled, record.endNumber)
        default: return nil
        }
    }

    /// The file that a delivery has downloaded; `nil` if it is not as its end says. It must be read with care.
    func download(of delivery: String, _ end: Delivery.EndedTransfer) -> HostedPart? {
        let name = TransferFiles.download(delivery)
        guard let file = end.file, let digest = Digest(file.sha256), let found = try? files.spool.digest(of: name),
            found == (digest, file.size)
        else { return nil }
        return HostedPart(
            role: .content, name: "download", type: MediaType.unknown.description, size: file.size, sha256: digest,
            localFile: nil
        ) { [files] in
            do { return try files.spool.openForReading(name) } catch { throw UndeliverableError(why: "\(error)") }
        }
    }

    /// Whether the transfer of a delivery is open.
    func isOpen(_ delivery: String) throws -> Bool { try store?.isOpen(key: delivery) ?? false }

    /// A transfer that waits for a later try.
    struct Wait {
        /// The identifier of its delivery, and the number.
        var key: String
        var delivery: Int64
        /// Why the last try failed.
        var why: String
        /// When the next one is, in milliseconds since 1970.
        var due: Int64

        init?(_ record: TransferRecord, now: Int64) {
            guard record.status == .open, record.due > now, let why = record.why else { return nil }
            (key, delivery, self.why, due) = (record.order.key, record.order.delivery, why, record.due)
        }
    }

    /// The transfer of a delivery; `nil` if there is none.
    func transfer(of delivery: String) throws -> TransferRecord? { try store?.transfer(key: delivery) }

    /// The first transfers that wait, in the order in which they are tried.
    func waits(limit: Int, now: Int64) throws -> [Wait] {
        try store?.delayed(limit: limit, now: now).compactMap { Wait($0, now: now) } ?? []
    }

    /// The deliveries of open transfers: their identifiers and numbers.
    func open() throws -> [(delivery: String, number: Int64)] {
        try store?.transfers(onlyOpen: true).map { ($0.order.key, $0.order.delivery) } ?? []
    }

    /// The deliveries of ended transfers whose ends were not used: their identifiers and numbers.
    func ended() throws -> [(delivery: String, number: Int64)] {
        try store?.unused().map { ($0.order.key, $0.order.delivery) } ?? []
    }

    /// The sessions with ends that no process has taken.
    func sessionsWithEvents() throws -> [String] { try store?.sessionsWithEvents() ?? [] }

    /// Whether a transfer is open, or an end not taken or not used.
    func hasWork() throws -> Bool {
        let counts = try counts(of: nil, now: 0)
        return try counts.open > 0 || counts.ends > 0 || !ended().isEmpty
    }

    /// How many transfers there are of a session, or of all with `nil`.
    func counts(of session: String?, now: Int64) throws -> TransferCounts {
        try store?.counts(of: session, now: now) ?? TransferCounts()
    }
}
