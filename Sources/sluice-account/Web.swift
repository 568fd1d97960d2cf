import Accounts
import CCurl
import FoundationEssentials
import Glibc
import ShareModel

/// Requests to the addresses of an account.
struct Web {
    /// In seconds.
    private static let clock = 30
    /// In bytes.
    private static let limit = 1 << 20

    private let plainHTTP: Bool
    private let caFile: String?
    private let proxy: String?

    init(_ definition: AccountDefinition) {
        (plainHTTP, caFile, proxy) = (definition.plainHTTP ?? false, definition.caFile, definition.proxy)
    }

    /// An answer, whatever its status.
    struct Answer {
        let status: Int
        let body: [UInt8]
        /// Whether the service names a time at which it wants to be asked again.
        let namesRetry: Bool

        /// The body as JSON; `null` if it is none.
        var json: JSONValue { (try? JSONValue(json: body)) ?? .null }
    }

    /// The failure of a request without an answer.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// Whether the service may have got the request.
        let mayHaveArrived: Bool
    }

    /// Sends a form, and reads an answer in JSON.
    func post(_ url: String, _ fields: [(String, String?)]) throws -> Answer {
        let form = fields.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
        return try send(
            "POST", url, headers: ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"],
            body: Array(form.joined(separator: "&").utf8))
    }

    func get(_ url: String, headers: [String]) throws -> Answer {
        try send("GET", url, headers: headers + ["Accept: application/json"], body: nil)
    }

    private func send(_ method: String, _ url: String, headers: [String], body: [UInt8]?) throws -> Answer {
        // A line feed in a token would begin another header.
        guard headers.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw Failure(description: "the token has a control character", mayHaveArrived: false)
        }
        let texts = (headers + ["User-Agent: sluice/\(Release.version)"]).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        let lines = texts.map { UnsafePointer($0) }
        var response = ccurl_response()
        lines.withUnsafeBufferPointer { lines in
            (body ?? []).withUnsafeBytes { bytes in
                method.withCString { method in
                    url.withCString { url in
                        Self.with(caFile) { caFile in
                            Self.with(proxy) { proxy in
                                var request = ccurl_request()
                                (request.method, request.url) = (method, url)
                                (request.ca_file, request.proxy) = (caFile, proxy)
                                (request.headers, request.header_count) = (lines.baseAddress, lines.count)
                                // An empty body is one too.
                                let empty = UnsafeRawPointer(url)
                                request.body =
                                    body == nil ? nil : (bytes.baseAddress ?? empty).assumingMemoryBound(to: CChar.self)
                                request.body_length = bytes.count
                                request.plain_http = plainHTTP ? 1 : 0
                                (request.seconds, request.limit) = (Self.clock, Self.limit)
                                ccurl_perform(&request, &response)
                            }
                        }
                    }
                }
            }
        }
        defer { ccurl_free(&response) }
        let host = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map(String.init) ?? url
        guard response.status != 0 else {
            let why = withUnsafeBytes(of: response.failure) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw Failure(
                description: "\(host) cannot be asked: \(why)", mayHaveArrived: response.may_have_arrived != 0)
        }
        let bytes = response.body.map { UnsafeRawBufferPointer(start: $0, count: response.length) }
        return Answer(
            status: response.status, body: bytes.map(Array.init) ?? [], namesRetry: response.retry_after > 0)
    }

    private static func with<Value>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        text.map { $0.withCString(body) } ?? body(nil)
    }

    /// A value of a form (WHATWG URL, section 5).
    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                bytes.append(byte)
            default: bytes += "%\(byte.padded(to: 2, radix: 16, uppercase: true))".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Base64 (RFC 4648, section 4).
enum Base64 {
    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
