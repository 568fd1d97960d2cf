internal import Glibc
internal import ShareModel

/// The date by which a package is found: the local time of the place where it was made, as far as that is known, in ISO
/// 8601 without a zone. Such texts are in the order of the times.
enum SearchDate {
    /// The date of the content, as a sink found it; else the time of the last change of its newest file; else that of its
    /// first arrival.
    static func of(_ receipt: Receipt, _ found: String?) -> String {
        if let found { return String(found.prefix(19)).replacing("Z", with: "") }
        if let modified = receipt.providers.compactMap(\.modified).max() { return local(modified.description) ?? "" }
        return receipt.received.flatMap(local) ?? ""
    }

    /// The local time of a time in UTC, to the second; `nil` for a text of another form.
    static func local(_ text: String) -> String? {
        guard let time = Timestamp(text) else { return nil }
        var seconds = time_t((time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)).quotient)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        var buffer = [CChar](repeating: 0, count: 32)
        let length = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
