import Files
import FoundationEssentials
import ShareModel
import SystemPackage
import Transfers

/// One try of a download. It goes on where an earlier one has stopped (RFC 9110, section 14), if the content is still the same.
struct Download: Sendable {
    let upload: Upload
    let key: String
    /// The largest file, in bytes.
    let limit: Int64
    let files: TransferFiles

    /// - Returns: the last answer of the service, with any status. With a successful one, the file is complete.
    /// - Throws: ``RequestFailure``; ``OfflineError``; `CancellationError`.
    func run() async throws -> RequestAnswer {
        let target: DownloadTarget
        do { target = try DownloadTarget(files, key, limit: limit, upload.meter) } catch {
            throw RequestFailure(.transient, "its file cannot be written: \(error)")
        }
        defer { target.close() }
        do {
            var answer = try await ask(target)
            if answer.status == 416, target.restart() { answer = try await ask(target) }
            // The last two have no content.
            guard 200..<300 ~= answer.status, ![204, 205].contains(answer.status) else { return answer }
            try target.finish(answer)
            answer.file = try finished(target, answer)
            // The sink gets the whole.
            answer.status = answer.status == 206 ? 200 : answer.status
            answer.headers.removeAll { ["content-length", "content-range"].contains($0.name) }
            return answer
        } catch {
            // What has come counts against the failures before it, unless it is next to nothing.
            if target.size > upload.record.sent + Self.leastProgress { try? await upload.save(nil, target.size) }
            throw error
        }
    }

    /// In bytes.
    private static let leastProgress: Int64 = 1 << 20

    private func ask(_ target: DownloadTarget) async throws -> RequestAnswer {
        try await upload.exchange.answer(
            to: Outgoing(
                method: upload.method, url: upload.url, headers: upload.headers,
                meter: upload.meter.begin(at: 0), target: target))
    }

    /// The file, if it is what the service has.
    private func finished(_ target: DownloadTarget, _ answer: RequestAnswer) throws -> DownloadedFile {
        let found: (digest: Digest, size: Int64)
        do { found = try files.spool.digest(of: TransferFiles.download(key)) } catch {
            throw RequestFailure(.transient, "its file cannot be read: \(error)")
        }
        if let expected = target.expectedSize, expected != found.size {
            // A service may send less than the rest at a time.
            if found.size > expected { _ = target.restart() }
            throw RequestFailure(.transient, "\(found.size) bytes have come, and the service says \(expected)")
        }
        let stated = Self.digest(in: answer.headers) ?? target.expectedDigest
        if let stated, stated != found.digest {
            _ = target.restart()
            throw RequestFailure(.transient, "its content is not what 'Repr-Digest' of the service says")
        }
        return DownloadedFile(size: found.size, digest: found.digest)
    }

    /// The SHA-256 of the whole content that an answer states; RFC 9530, section 3.
    static func digest(in headers: [HeaderField]) -> Digest? {
        guard let field = headers.first(where: { $0.name == "repr-digest" })?.value,
            let item = field.split(separator: ",").map({ String($0).trimmed }).first(where: {
                $0.lowercased().hasPrefix("sha-256=:")
            }),
            item.hasSuffix(":"), let bytes = Data(base64Encoded: String(item.dropFirst(9).dropLast())),
            bytes.count == 32
        else { return nil }
        return Digest(bytes: Array(bytes))
    }
}
