internal import Formats
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import Sniffing
internal import Transfers

/// The transfers of one sink's deliveries. For one thread.
final class SinkTransfers {
    /// What a delivery gets that was handed over to a transfer.
    enum Step {
        /// It goes to the sink, which concludes.
        ///
        /// - Parameter download: the file that was downloaded.
        case ended(Delivery.EndedTransfer, download: HostedPart?)
        /// It does not go to the sink.
        case outcome(HostedOutcome)
    }

    private let ledger: TransferLedger
    private let client: TransferClient
    private var sniffer: MagicSniffer?
    /// The deliveries whose transfers have ended, with the numbers of the ends, until what became of them is on record.
    private var ends: [String: Int64] = [:]
    /// The words to the transfer process that are on their way.
    private var words: [Task<Void, Never>] = []
    /// More of them are not kept. What is lost costs an attempt more.
    private static let mostWords = 1_000

    init(_ ledger: TransferLedger, _ client: TransferClient) { (self.ledger, self.client) = (ledger, client) }

    /// What became of the transfer of a delivery; `nil` if it has none, so that the sink gets the delivery as it is.
    ///
    /// - Parameter login: the identifier of the login that there is now. What a service has said about an earlier one says nothing about it.
    func transfer(of delivery: String, login: String?) throws -> Step? {
        guard let (step, end) = try ledger.step(of: delivery) else { return nil }
        ends[delivery] = end
        switch step {
        case .isOpen: return .outcome(HostedOutcome(id: delivery, result: .transferring))
        case .ended(let end, let own):
            guard end.status != 401 || own == login else {
                use(endsOf: [delivery])
                return nil
            }
            guard end.file != nil else { return .ended(end, download: nil) }
            guard var download = ledger.download(of: delivery, end) else {
                // A power cut can take it, because another download costs less than a sync.
                use(endsOf: [delivery])
                return nil
            }
            download.type = type(of: download, end)
            var end = end
            end.file?.type = download.type
            return .ended(end, download: download)
        case .notDownloaded(let end): return .ended(end, download: nil)
        case .failed(let failure):
            let result: HostedOutcome.Result =
                switch failure.kind {
                case .transient: .transient(failure.why, retryAfter: nil)
                case .permanent: .failed(failure.why)
                // No request was made, so it is not the service that refuses the login.
                case .auth: .transient(failure.why, retryAfter: nil)
                }
            return .outcome(HostedOutcome(id: delivery, result: result, isUncertain: failure.mayHaveArrived))
        case .canceled:
            return .outcome(HostedOutcome(id: delivery, result: .failed("its transfer was canceled")))
        }
    }

    /// The type of a download by its bytes. What the service says is a claim like any other; see ``ShareModel/MediaType/orPage(declared:)``.
    private func type(of download: HostedPart, _ end: Delivery.EndedTransfer) -> String {
        guard let file = try? download.open() else { return download.type }
        defer { try? file.close() }
        do {
            let sniffer = try self.sniffer ?? MagicSniffer(isLate: true)
            self.sniffer = sniffer
            let claims = TypeClaims(declared: end.headers?["content-type"])
            let content = ContentBytes(descriptor: file.rawValue, size: download.size)
            return try sniffer.identify(content, claims: claims).type.orPage(declared: claims.declared).description
        } catch {
            return download.type
        }
    }

    /// Whether the transfer of a delivery is open.
    func isOpen(_ delivery: String) throws -> Bool { try ledger.isOpen(delivery) }

    /// Uses the ends of transfers up, because what became of their deliveries is on record. The next attempt does not get them.
    func use(endsOf deliveries: some Sequence<String>) {
        words.removeFirst(max(0, words.count - Self.mostWords))
        for delivery in deliveries {
            guard let end = ends.removeValue(forKey: delivery) else { continue }
            words.append(Task { [client] in _ = try? await client.change(delivery, .use, end: end) })
        }
    }

    /// The words to the transfer process since the last call. Each ends when it was heard.
    func takeWords() -> [Task<Void, Never>] {
        defer { words = [] }
        return words
    }
}

extension MediaType {
    /// A page, if the type is that of any text and a page was declared. A short page may have nothing that shows it, and browsers believe
    /// the declaration too (WHATWG MIME Sniffing, section 7).
    func orPage(declared: String?) -> MediaType {
        self == .plainText && declared.flatMap { DeclaredType($0).mediaType } == .html ? .html : self
    }
}
