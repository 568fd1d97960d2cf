import CCurl
import Dispatch
import FoundationEssentials
import Glibc
import ShareModel
import Synchronization
import SystemPackage
import Transfers

/// Makes requests with libcurl, all on one thread.
final class Engine: Sendable {
    /// A request as it goes out.
    struct Job: Sendable {
        var method: String
        var url: String
        var headers: [HeaderField]
        var body: RequestOrder.Body?
        /// Open until the end of the request.
        var file: FileDescriptor?
        /// The first byte of the file that is sent.
        var offset: Int64 = 0
        var meter: Meter?
        /// Gets the body of a successful answer.
        var target: DownloadTarget?
        var caFile: String?
        var proxy: String?
        var plainHTTP = false
        /// Whether addresses of private networks may be called.
        var anyAddress = false
        /// Whether it must not use a connection of an earlier request.
        var isFresh = false
        /// How it is signed, and with what; `nil` without a signature.
        var signature: String?
        var secret: String?
        /// When it has to have ended; `nil` for as long as bytes move.
        var end: ContinuousClock.Instant?
    }

    /// How it ended.
    struct Ended: Sendable {
        var end: ccurl_end
        var answer: RequestAnswer
        var failure: String
        var mayHaveArrived: Bool
    }

    private struct State {
        var last: Int64 = 0
        var added: [(id: Int64, job: Job)] = []
        var canceled: [Int64] = []
        /// Those who wait, with the targets of their answers, which the engine calls.
        var waiting: [Int64: (continuation: CheckedContinuation<Ended?, Never>, target: DownloadTarget?)] = [:]
    }

    private nonisolated(unsafe) let engine: OpaquePointer
    private let state = Mutex(State())
    /// The longest sleep of the thread, in milliseconds. It is woken for each request.
    private static let longestSleep: Int32 = 60_000

    /// `nil` if libcurl cannot be used.
    init?() {
        let name = "sluice/\(Release.version)"
        guard let engine = ccurl_engine_new(name, RequestLimits.hostConnections, RequestLimits.connections) else {
            return nil
        }
        self.engine = engine
        DispatchQueue(label: "sluice.requests").async { [self] in while true { work() } }
    }

    /// Makes a request; `nil` if the task was canceled.
    func perform(_ job: Job) async -> Ended? {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiting[id] = (continuation, job.target)
                    if Task.isCancelled { state.canceled.append(id) } else { state.added.append((id, job)) }
                }
                ccurl_engine_wake(engine)
            }
        } onCancel: {
            state.withLock { $0.canceled.append(id) }
            ccurl_engine_wake(engine)
        }
    }

    private func work() {
        let (added, canceled) = state.withLock { state in
            defer { (state.added, state.canceled) = ([], []) }
            return (state.added, state.canceled)
        }
        for (id, job) in added {
            let failure = add(job, id)
            if failure != 0 {
                finish(id, Ended(end: ccurl_end(UInt32(failure)), answer: .none, failure: "", mayHaveArrived: false))
            }
        }
        for id in canceled {
            ccurl_engine_cancel(engine, id)
            finish(id, nil)
        }
        var ended = ccurl_ended()
        switch ccurl_engine_next(engine, Self.longestSleep, &ended) {
        case 0: return
        case 1: break
        // Without the process, the callers learn that their requests have ended.
        default: exit(1)
        }
        finish(ended.id, Ended(ended))
        ccurl_ended_free(&ended)
    }

    private func finish(_ id: Int64, _ ended: Ended?) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume(returning: ended)
    }

    private func add(_ job: Job, _ id: Int64) -> Int32 {
        let texts = job.headers.map { strdup("\($0.name): \($0.value)") }
        defer {
            for text in texts {
                text.map { explicit_bzero($0, strlen($0)) }
                free(text)
            }
        }
        let lines = texts.map { UnsafePointer($0) }
        var own = ccurl_job()
        own.body_file = -1
        (own.header_count, own.plain_http, own.any_address) = (
            lines.count, job.plainHTTP ? 1 : 0, job.anyAddress ? 1 : 0
        )
        (own.seconds, own.stall_seconds) = (
            job.end.map { max(1, Int(($0 - .now).components.seconds)) } ?? 0, RequestLimits.stallSeconds
        )
        (own.body_offset, own.meter) = (job.offset, job.meter?.own)
        // Without an end of its own, a request may wait longer for what the service makes of the body.
        own.is_fresh = job.isFresh ? 1 : 0
        own.answer_seconds = job.end == nil ? TransferLimits.answerSeconds : RequestLimits.stallSeconds
        (own.limit, own.header_limit) = (RequestLimits.answerBytes, RequestRules.headerBytes)
        if let target = job.target {
            own.begin_context = Unmanaged.passUnretained(target).toOpaque()
            own.file_limit = target.room
            own.begin_file = { context, status, lines, length, offset in
                guard let context, let offset else { return -2 }
                let target = Unmanaged<DownloadTarget>.fromOpaque(context).takeUnretainedValue()
                let headers = [HeaderField](lines: UnsafeRawBufferPointer(start: lines, count: length))
                switch target.open(status, headers) {
                case .file(let file, let start):
                    offset.pointee = start
                    return file.rawValue
                case .memory: return -1
                case .none: return -2
                }
            }
        }
        var bytes: Data?
        switch job.body {
        case .bytes(let body): (bytes, own.body_length) = (body, body.count)
        case .file(let size): (own.body_file, own.body_length) = (job.file?.rawValue ?? -1, Int(size))
        case nil: break
        }
        return job.method.withCString { method in
            job.url.withCString { url in
                lines.withUnsafeBufferPointer { lines in
                    Self.with([job.caFile, job.proxy, job.signature, job.secret]) { texts in
                        (bytes ?? Data()).withUnsafeBytes { body in
                            (own.method, own.url, own.headers) = (method, url, lines.baseAddress)
                            (own.ca_file, own.proxy) = (texts[0], texts[1])
                            (own.signature, own.signature_secret) = (texts[2], texts[3])
                            // An empty body is one too.
                            let empty = UnsafeRawPointer(url)
                            own.body =
                                bytes == nil ? nil : (body.baseAddress ?? empty).assumingMemoryBound(to: CChar.self)
                            return ccurl_engine_add(engine, id, &own)
                        }
                    }
                }
            }
        }
    }

    /// Calls `body` with texts for C. The pointers are valid only during the call.
    private static func with<Value>(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        func next(_ rest: ArraySlice<String?>, _ done: [UnsafePointer<CChar>?]) -> Value {
            guard let first = rest.first else { return body(done) }
            guard let first else { return next(rest.dropFirst(), done + [nil]) }
            return first.withCString { next(rest.dropFirst(), done + [$0]) }
        }
        return next(texts[...], [])
    }
}

/// Counts the bytes of a body that have been handed to its connection.
final class Meter: Sendable {
    fileprivate nonisolated(unsafe) let own: OpaquePointer?

    init() { own = ccurl_meter_new() }

    deinit { ccurl_meter_free(own) }

    var count: Int64 { own.map(ccurl_meter_read) ?? 0 }
}

extension RequestAnswer {
    static var none: RequestAnswer { RequestAnswer(status: 0, headers: [], body: Data()) }
}

extension Engine.Ended {
    fileprivate init(_ ended: ccurl_ended) {
        end = ended.end
        mayHaveArrived = ended.may_have_arrived != 0
        failure = withUnsafeBytes(of: ended.failure) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        answer = RequestAnswer(
            status: ended.status,
            headers: [HeaderField](lines: UnsafeRawBufferPointer(start: ended.headers, count: ended.headers_length)),
            body: Data(UnsafeRawBufferPointer(start: ended.body, count: ended.body_length)),
            retryAfter: ended.retry_after > 0 ? ended.retry_after : nil)
    }
}

extension [HeaderField] {
    /// The headers in lines such as `content-type: text/plain`.
    fileprivate init(lines: UnsafeRawBufferPointer) {
        self = lines.split(separator: UInt8(ascii: "\n")).map { line in
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            let value = line.dropFirst(name.count + 1)
            return HeaderField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self).trimmed)
        }
    }
}
