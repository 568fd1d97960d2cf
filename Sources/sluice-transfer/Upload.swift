import CCurl
import Files
import FoundationEssentials
import Glibc
import ShareModel
import Synchronization
import SystemPackage
import Transfers

/// One try of a transfer.
struct Upload: Sendable {
    let record: TransferRecord
    let exchange: Exchange
    /// The container's folder.
    let container: FilePath
    let meter: UploadMeter
    /// Makes it durable where the upload goes on.
    let save: @Sendable (UploadProgress?, _ sent: Int64) async throws -> Void

    private var order: TransferOrder { record.order }
    var method: String { head.method }
    private var head: RequestHead { order.head }

    /// Sends what the service does not have yet.
    ///
    /// - Returns: the last answer of the service, with any status.
    /// - Throws: ``RequestFailure``; ``OfflineError``; `CancellationError`.
    func run() async throws -> RequestAnswer {
        if let limit = order.download {
            return try await Download(upload: self, key: order.key, limit: limit, files: TransferFiles(container)).run()
        }
        guard case .object(let path, let size, let digest) = order.body else {
            let body: RequestOrder.Body? = if case .bytes(let bytes) = order.body { .bytes(bytes) } else { nil }
            return try await exchange.answer(
                to: Outgoing(method: head.method, url: head.url, headers: head.headers, body: body))
        }
        let file = try open(path, size)
        defer { try? file.close() }
        let body = UploadBody(file: file, size: size, digest: digest)
        switch order.resumption {
        case .none: return try await whole(body)
        case .tus: return try await OffsetUpload(self, body, .tus).run()
        case .ietf: return try await OffsetUpload(self, body, .ietf).run()
        case .s3:
            return size <= MultipartUpload.wholeLimit
                ? try await whole(body) : try await MultipartUpload(self, body).run()
        }
    }

    /// Tells the service that the upload is not gone on with. A failure leaves that to the service.
    func abandon() async {
        guard let progress else { return }
        switch order.resumption {
        case .none: break
        case .tus, .ietf:
            _ = try? await ask("DELETE", progress.upload, OffsetUpload.version(order.resumption == .tus ? .tus : .ietf))
        case .s3: _ = try? await ask("DELETE", MultipartUpload.url(url, of: progress), [])
        }
    }

    /// Where the upload goes on, as it is on record.
    var progress: UploadProgress? { record.progress }
    var url: String { head.url }
    var headers: [HeaderField] { head.headers }

    private func whole(_ body: UploadBody) async throws -> RequestAnswer {
        try await send(head.method, head.url, head.headers, body, from: 0, to: body.size, digest: body.digest)
    }

    /// Sends a part of the body.
    func send(
        _ method: String, _ url: String, _ headers: [HeaderField], _ body: UploadBody, from start: Int64, to end: Int64,
        digest: Digest? = nil
    ) async throws -> RequestAnswer {
        let meter = meter.begin(at: start)
        return try await exchange.answer(
            to: Outgoing(
                method: method, url: url, headers: headers, body: .file(size: end - start), file: body.file,
                offset: start, meter: meter, digest: digest))
    }

    /// Makes a request of the upload's protocol, which is short.
    func ask(_ method: String, _ url: String, _ headers: [HeaderField], _ body: Data? = nil) async throws
        -> RequestAnswer
    {
        try await exchange.answer(
            to: Outgoing(
                method: method, url: url, headers: headers, body: body.map { .bytes($0) },
                // A kept connection may have died with the network, which only time would show.
                end: .now + .seconds(Self.askSeconds), isFresh: true))
    }

    /// The time for a request without content, in seconds.
    private static let askSeconds = 120

    /// The address that an answer names in `Location`.
    func location(of answer: RequestAnswer) throws -> String {
        guard let reference = answer.headers.first(where: { $0.name == "location" })?.value,
            let url = Destination.resolved(reference, against: try exchange.absolute(head.url))
        else {
            throw RequestFailure(.permanent, "the service does not say where the upload goes on (no 'Location')")
        }
        return url
    }

    /// Opens the body. No link is followed.
    private func open(_ path: String, _ size: Int64) throws -> FileDescriptor {
        let parts = FilePath(path).components
        guard let name = parts.last, !path.hasPrefix("/"), !parts.contains(where: { $0.kind != .regular }) else {
            throw RequestFailure(.permanent, "its content has no usable path")
        }
        do throws(Errno) {
            var folder = try Directory(container)
            for part in parts.dropLast() { folder = try Directory(part, below: folder) }
            let file = try folder.open(name)
            guard let status = try? OpenFileStatus(of: file), case .file = status.kind, status.stamp.size == size else {
                try? file.close()
                throw Errno.invalidArgument
            }
            return file
        } catch {
            throw RequestFailure(
                error == .noSuchFileOrDirectory || error == .invalidArgument ? .permanent : .transient,
                "its content cannot be read: \(error == .noSuchFileOrDirectory ? "it is not in the container any more" : "\(error)")"
            )
        }
    }
}

/// The open content of an upload.
struct UploadBody: Sendable {
    let file: FileDescriptor
    let size: Int64
    let digest: Digest
}

/// Where an upload is, for its progress.
final class UploadMeter: Sendable {
    private struct State {
        var start: Int64 = 0
        var current: Meter?
        /// The bytes of the requests before the current one.
        var before: Int64 = 0
    }

    private let state = Mutex(State())

    func begin(at start: Int64) -> Meter {
        let meter = Meter()
        state.withLock { state in
            state.before += state.current?.count ?? 0
            (state.start, state.current) = (start, meter)
        }
        return meter
    }

    /// Says where the body of the request under way begins.
    func move(to start: Int64) { state.withLock { $0.start = start } }

    /// The bytes that have moved since the begin of the try.
    var moved: Int64 { state.withLock { $0.before + ($0.current?.count ?? 0) } }

    /// The bytes that have been handed to a connection.
    var sent: Int64 { state.withLock { $0.start + ($0.current?.count ?? 0) } }
}
