import Glibc

/// Times for people, in the time zone of the user (`TZ`, else that of the system).
enum LocalTime {
    /// `2026-05-04T22:11:12Z` as `2026-05-05 00:11` in Berlin; a text that is no such time stays as it is.
    static func minute(_ time: String) -> String {
        guard let local = local(time) else { return time }
        return text("%Y-%m-%d %H:%M", local)
    }

    /// `2026-05-04T22:11:12Z` as `2026-05-05 00:11:12 CEST`.
    static func second(_ time: String) -> String {
        guard let local = local(time) else { return time }
        return text("%Y-%m-%d %H:%M:%S %Z", local)
    }

    private static func local(_ time: String) -> tm? {
        let numbers = time.split { !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count == 6, time.hasSuffix("Z") else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        var seconds = timegm(&parts)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? nil : local
    }

    private static func text(_ format: String, _ time: tm) -> String {
        var time = time
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                count = buffer.baseAddress.map { strftime($0, buffer.count, format, &time) } ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
