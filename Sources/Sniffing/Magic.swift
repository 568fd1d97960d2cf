internal import CMagic
internal import ShareModel

/// One libmagic cookie. Two threads must not use it at the same time.
final class Magic {
    private let cookie: magic_t

    /// - Throws: ``SniffingFailure`` if libmagic or its database cannot be loaded.
    init(window: Int) throws {
        // This flag prevents libmagic from starting a helper program for compressed content, as `file -z` does.
        guard let cookie = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS) else {
            throw SniffingFailure(message: "libmagic cannot be opened: out of memory")
        }
        self.cookie = cookie
        guard MagicDatabase.shared?.load(into: cookie) == true || magic_load(cookie, nil) == 0 else {
            let why = Self.lastError(of: cookie)
            throw SniffingFailure(
                message: "libmagic cannot load its database: \(why); install libmagic-mgc, or unset MAGIC")
        }
        var limit = window
        guard magic_setparam(cookie, MAGIC_PARAM_BYTES_MAX, &limit) == 0 else {
            throw SniffingFailure(message: "libmagic does not accept a limit of \(window) bytes; update libmagic")
        }
    }

    deinit { magic_close(cookie) }

    /// The type that libmagic concludes. It is ``MediaType/unknown`` if libmagic does not recognize the bytes, or if
    /// its answer is not a MIME type.
    func type(of bytes: [UInt8]) -> MediaType {
        let answer = bytes.withUnsafeBytes { magic_buffer(cookie, $0.baseAddress, $0.count) }
        guard let answer, let type = MediaType(String(cString: answer)) else { return .unknown }
        return MagicNames.own[type.description].flatMap { MediaType($0) } ?? type
    }

    private static func lastError(of cookie: magic_t) -> String {
        magic_error(cookie).map { String(cString: $0) } ?? "no reason given"
    }
}

/// The error that prevents every identification.
package struct SniffingFailure: Error, Sendable, CustomStringConvertible {
    /// The error, with the remedy.
    package var message: String

    /// The message.
    package var description: String { message }
}
