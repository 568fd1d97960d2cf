import FoundationEssentials
import ShareModel
import Transfers

/// An upload that goes on at the byte that the service names.
struct OffsetUpload: Sendable {
    /// The two protocols differ in a few words alone.
    enum Dialect {
        /// https://tus.io/protocols/resumable-upload, version 1.0.0
        case tus
        /// draft-ietf-httpbis-resumable-upload-05, whose interop version is 6
        case ietf
    }

    private let upload: Upload
    private let body: UploadBody
    private let dialect: Dialect

    init(_ upload: Upload, _ body: UploadBody, _ dialect: Dialect) {
        (self.upload, self.body, self.dialect) = (upload, body, dialect)
    }

    func run() async throws -> RequestAnswer {
        if let known = upload.progress {
            let found = try await upload.ask("HEAD", known.upload, version)
            // The service has forgotten it.
            guard [404, 410, 403].contains(found.status) else {
                guard found.status != 423 else {
                    throw RequestFailure(.transient, "the service still holds the upload for a connection that broke")
                }
                guard (200..<300).contains(found.status) else { return found }
                let start = try offset(found)
                // The service has all of it, and the answer that said so was lost.
                guard start < body.size || !isComplete(found) else { return try named(found, known) }
                return try await append(to: known, from: start)
            }
            try await upload.save(nil, 0)
        }
        let made = try await upload.ask("POST", upload.url, upload.headers + creation, Data())
        guard (200..<300).contains(made.status) else { return made }
        let progress = UploadProgress(upload: try upload.location(of: made))
        // On record before anything is sent to it, so that it is found again.
        try await upload.save(progress, 0)
        // Without content there is nothing to append.
        guard body.size > 0 || dialect != .tus else { return made }
        return try await append(to: progress, from: 0)
    }

    private func isComplete(_ answer: RequestAnswer) -> Bool {
        dialect == .tus || answer.headers.contains { $0.name == "upload-complete" && $0.value == "?1" }
    }

    private func append(to progress: UploadProgress, from start: Int64) async throws -> RequestAnswer {
        try await upload.save(progress, start)
        let answer = try await upload.send(
            "PATCH", progress.upload, version + part(start), body, from: start, to: body.size)
        switch answer.status {
        // Some answer so for an upload that a broken connection has completed after they said how much they have.
        case 400, 403:
            let found = try await upload.ask("HEAD", progress.upload, version)
            guard 200..<300 ~= found.status, try offset(found) == body.size, isComplete(found) else { return answer }
            return try named(found, progress)
        // It is asked again at the next try.
        case 409: throw RequestFailure(.transient, "the service has other bytes of the upload than it said")
        case 423: throw RequestFailure(.transient, "the service still holds the upload for a connection that broke")
        case 404, 410: throw RequestFailure(.transient, "the service has forgotten the upload")
        default: return try named(answer, progress)
        }
    }

    /// The answer with the address of the upload, which the one who concludes may need.
    private func named(_ answer: RequestAnswer, _ progress: UploadProgress) throws -> RequestAnswer {
        guard (200..<300).contains(answer.status) else { return answer }
        if dialect == .tus, try offset(answer) != body.size {
            throw RequestFailure(.transient, "the service says that it has not all bytes of the upload")
        }
        var answer = answer
        if !answer.headers.contains(where: { $0.name == "location" }) {
            answer.headers.append(HeaderField("location", progress.upload))
        }
        return answer
    }

    private func offset(_ answer: RequestAnswer) throws -> Int64 {
        guard let text = answer.headers.first(where: { $0.name == "upload-offset" })?.value, let offset = Int64(text),
            (0...body.size).contains(offset)
        else {
            throw RequestFailure(
                .permanent, "the service does not say how much of the upload it has (no 'Upload-Offset')")
        }
        return offset
    }

    private var version: [HeaderField] { Self.version(dialect) }

    static func version(_ dialect: Dialect) -> [HeaderField] {
        switch dialect {
        case .tus: [HeaderField("Tus-Resumable", "1.0.0")]
        case .ietf: [HeaderField("Upload-Draft-Interop-Version", "6")]
        }
    }

    private var creation: [HeaderField] {
        switch dialect {
        case .tus: version + [HeaderField("Upload-Length", "\(body.size)")]
        case .ietf:
            version + [HeaderField("Upload-Complete", "?0"), HeaderField("Upload-Length", "\(body.size)")]
        }
    }

    private func part(_ start: Int64) -> [HeaderField] {
        let offset = HeaderField("Upload-Offset", "\(start)")
        switch dialect {
        case .tus: return [offset, HeaderField("Content-Type", "application/offset+octet-stream")]
        case .ietf:
            return [
                offset, HeaderField("Upload-Complete", "?1"), HeaderField("Content-Type", "application/partial-upload"),
            ]
        }
    }
}
