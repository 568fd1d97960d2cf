internal import CMagic
internal import ShareModel

/// One libmagic cookie: not for two threads at once.
final class Magic {
    private let cookie: magic_t

    /// - Throws: ``SniffingFailure`` where libmagic or its database cannot be loaded.
    init(window: Int) throws {
        // Never a helper program for compressed content, which `file -z` would start.
        guard let cookie = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS) else {
            throw SniffingFailure(message: "libmagic cannot be opened: out of memory")
        }
        self.cookie = cookie
        guard magic_load(cookie, nil) == 0 else {
            let why = Self.lastError(of: cookie)
            throw SniffingFailure(
                message: "libmagic cannot load its database: \(why); install libmagic-mgc, or unset MAGIC")
        }
        var limit = window
        guard magic_setparam(cookie, MAGIC_PARAM_BYTES_MAX, &limit) == 0 else {
            throw SniffingFailure(message: "libmagic refuses its limit of \(window) bytes: update libmagic")
        }
    }

    deinit { magic_close(cookie) }

    /// What libmagic calls the bytes; ``MediaType/unknown`` where it knows nothing or cannot say it as a MIME type.
    func type(of bytes: [UInt8]) -> MediaType {
        let answer = bytes.withUnsafeBytes { magic_buffer(cookie, $0.baseAddress, $0.count) }
        guard let answer, let type = MediaType(String(cString: answer)) else { return .unknown }
        return MagicNames.own[type.description].flatMap { MediaType($0) } ?? type
    }

    private static func lastError(of cookie: magic_t) -> String {
        magic_error(cookie).map { String(cString: $0) } ?? "no reason given"
    }
}

/// Why nothing can be identified at all.
public struct SniffingFailure: Error, Sendable, CustomStringConvertible {
    /// What failed, and the remedy.
    public var message: String

    /// The message.
    public var description: String { message }
}
