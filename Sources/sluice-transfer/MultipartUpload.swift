import Files
import FoundationEssentials
import ShareModel
import SystemPackage
import Transfers

/// A multipart upload of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
struct MultipartUpload: Sendable {
    /// Up to this size the content is sent with one request.
    static let wholeLimit: Int64 = 16 << 20
    /// The size of a part, which is larger if there would be too many of them. An interruption costs a part at most.
    private static let partSize: Int64 = 8 << 20
    private static let mostParts: Int64 = 9_000
    private static let step: Int64 = 1 << 20

    private let upload: Upload
    private let body: UploadBody

    init(_ upload: Upload, _ body: UploadBody) { (self.upload, self.body) = (upload, body) }

    func run() async throws -> RequestAnswer {
        guard !upload.url.contains("?") else {
            throw RequestFailure(.permanent, "the URL of an object has a query, which an upload in parts cannot have")
        }
        var progress: UploadProgress
        if let known = upload.progress {
            progress = known
        } else {
            // What holds for the whole object is said at the end.
            let headers = upload.headers.filter { !Self.isOfWhole($0) }
            let made = try await upload.ask("POST", upload.url + "?uploads=", headers, Data())
            guard made.status == 200 else { return made }
            guard let id = Self.element("UploadId", in: made.body) else {
                throw RequestFailure(.permanent, "the service does not name the upload (no 'UploadId')")
            }
            let size = max(Self.partSize, (body.size / Self.mostParts / Self.step + 1) * Self.step)
            progress = UploadProgress(upload: id, partSize: size, parts: [])
            try await upload.save(progress, 0)
        }
        let size = progress.partSize ?? Self.partSize
        var parts = progress.parts ?? []
        while Int64(parts.count) * size < body.size {
            let start = Int64(parts.count) * size
            let end = min(start + size, body.size)
            let answer = try await upload.send(
                "PUT", Self.url(upload.url, of: progress, part: parts.count + 1), [], body, from: start, to: end,
                digest: try digest(from: start, to: end))
            guard answer.status == 200 else { return try await failed(answer) }
            guard let tag = answer.headers.first(where: { $0.name == "etag" })?.value,
                tag.utf8.allSatisfy({ !"<>&".utf8.contains($0) })
            else { throw RequestFailure(.permanent, "the service gives a part no usable 'ETag'") }
            parts.append(tag)
            progress.parts = parts
            try await upload.save(progress, end)
        }
        let list = parts.enumerated().map { place, tag in
            "<Part><PartNumber>\(place + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let answer = try await upload.ask(
            "POST", Self.url(upload.url, of: progress), completion,
            Data("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8))
        // It may be there already, if an earlier answer was lost.
        if Self.isForgotten(answer), let there = try await whole() { return there }
        if answer.status == 412 { await upload.abandon() }
        guard answer.status == 200 else { return try await failed(answer) }
        // It may begin its answer with 200 before it knows.
        guard Self.element("ETag", in: answer.body) != nil else {
            throw RequestFailure(.transient, "the service could not join the parts")
        }
        return answer
    }

    /// The headers that decide about the object as a whole, such as `If-None-Match`.
    private var completion: [HeaderField] {
        upload.headers.filter { $0.name.lowercased().hasPrefix("if-") }
            + [HeaderField("Content-Type", "application/xml")]
    }

    /// Whether a header says something about the object as a whole.
    private static func isOfWhole(_ header: HeaderField) -> Bool {
        let name = header.name.lowercased()
        return name.hasPrefix("if-") || name == "x-amz-content-sha256" || name.hasSuffix("-digest")
    }

    /// The object, if it is there with the size of the content.
    private func whole() async throws -> RequestAnswer? {
        let found = try await upload.ask("HEAD", upload.url, [])
        let size = found.headers.first { $0.name == "content-length" }.flatMap { Int64($0.value) }
        return found.status == 200 && size == body.size ? found : nil
    }

    /// The address of an upload, or of one of its parts. The query is sorted, as its signature needs it.
    static func url(_ object: String, of progress: UploadProgress, part: Int? = nil) -> String {
        let id = progress.upload.utf8.map { byte in
            plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + Self.digits(byte)
        }
        return object + "?" + (part.map { "partNumber=\($0)&" } ?? "") + "uploadId=" + id.joined()
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)

    private static func digits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func isForgotten(_ answer: RequestAnswer) -> Bool {
        answer.status == 404 && element("Code", in: answer.body) == "NoSuchUpload"
    }

    /// An answer that there is no such upload any more begins a new one at the next try.
    private func failed(_ answer: RequestAnswer) async throws -> RequestAnswer {
        guard Self.isForgotten(answer) else { return answer }
        try await upload.save(nil, 0)
        throw RequestFailure(.transient, "the service has forgotten the upload")
    }

    private func digest(from start: Int64, to end: Int64) throws -> Digest {
        let hasher = SHA256Hasher()
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var place = start
        while place < end {
            try Task.checkCancellation()
            let count = try chunk.withUnsafeMutableBytes { room in
                let wanted = UnsafeMutableRawBufferPointer(
                    rebasing: room.prefix(Int(min(Int64(room.count), end - place))))
                let count = try body.file.read(fromAbsoluteOffset: place, into: wanted)
                hasher.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(wanted).prefix(count)))
                return count
            }
            guard count > 0 else { throw RequestFailure(.permanent, "its content has become shorter") }
            place += Int64(count)
        }
        return hasher.finish()
    }

    private static let entities = ["&quot;": "\"", "&apos;": "'", "&lt;": "<", "&gt;": ">"]

    /// The text of the first element of a name. The answers are small, and their elements have no attributes.
    static func element(_ name: String, in body: Data) -> String? {
        guard let start = body.firstRange(of: Data("<\(name)>".utf8)),
            let end = body[start.upperBound...].firstRange(of: Data("</\(name)>".utf8))
        else { return nil }
        let text = String(decoding: body[start.upperBound..<end.lowerBound], as: UTF8.self)
        return entities.reduce(text) { $0.replacing($1.key, with: $1.value) }.replacing("&amp;", with: "&")
    }
}
