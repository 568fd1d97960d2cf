import Glibc
import ShareModel

/// Times for people, in the time zone of the user (`TZ`, else that of the system).
enum LocalTime {
    /// `2026-05-04T22:11:12Z` as `2026-05-05 00:11` in Berlin; a text that is no such time stays as it is.
    static func minute(_ time: String) -> String {
        Timestamp(time).flatMap(local).map { text("%Y-%m-%d %H:%M", $0) } ?? time
    }

    /// `2026-05-04T22:11:12Z` as `2026-05-05 00:11:12 CEST`; a text that is no such time stays as it is.
    static func second(_ time: String) -> String { Timestamp(time).map(second) ?? time }

    /// The time without the fraction of its second.
    static func second(_ time: Timestamp) -> String {
        local(time).map { text("%Y-%m-%d %H:%M:%S %Z", $0) } ?? time.description
    }

    private static func local(_ time: Timestamp) -> tm? {
        let second: Int64 = 1_000_000_000
        // Rounded down, also before 1970.
        var seconds = time_t(time.nanoseconds / second - (time.nanoseconds % second < 0 ? 1 : 0))
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
