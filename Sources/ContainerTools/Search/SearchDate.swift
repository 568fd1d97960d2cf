internal import Glibc
internal import ShareModel

/// The date by which a package is found: the local time of the place where it was made, as far as that is known, in ISO
/// 8601 without a zone. Such texts are in the order of the times.
enum SearchDate {
    /// The date of the content, as a sink found it; else the time of the last change of its newest file; else that of its
    /// first arrival.
    static func of(_ receipt: Receipt, _ found: String?) -> String {
        of(found, modified: receipt.providers.compactMap(\.modified).max(), received: receipt.received)
    }

    /// Like ``of(_:_:)``, of a file.
    static func of(_ found: String?, modified: Timestamp?, received: String?) -> String {
        if let found { return found }
        if let modified { return local(modified.description) ?? "" }
        return received.flatMap(local) ?? ""
    }

    /// The date in a text of ISO 8601: `2024`, `2024-03`, `2024-03-05` or with a time; `nil` for a text of another form. A time
    /// in UTC becomes local, and one of another zone stays as it is.
    static func text(_ text: String) -> String? {
        let bytes = Array(text.utf8.prefix(64))
        let form = Array("0000-00-00T00:00:00".utf8)
        let length = zip(bytes, form).prefix { byte, sample in
            sample == 0x30 ? (0x30...0x39).contains(byte) : byte == sample
        }.count
        // Only whole parts count.
        guard let end = [19, 16, 10, 7, 4].first(where: { $0 <= length }) else { return nil }
        if end < bytes.count, (0x30...0x39).contains(bytes[end]) { return nil }
        let date = String(decoding: bytes[..<end], as: UTF8.self)
        return end == 19 && bytes.last == UInt8(ascii: "Z") ? local(date + "Z") ?? date : date
    }

    /// The year of a date, and the month by its English name: `2024`, `march`.
    static func words(_ date: String) -> [String] {
        let parts = date.prefix { $0 != "T" }.split(separator: "-")
        let month = parts.dropFirst().first.flatMap { Int($0) }.flatMap { (1...12).contains($0) ? months[$0 - 1] : nil }
        return (parts.first.map { [String($0)] } ?? []) + (month.map { [$0] } ?? [])
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

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
