internal import Glibc

/// The time of a file, to the nanosecond. Its text is ISO 8601 in UTC, such as `2024-02-29T07:30:05.25Z`: the fraction
/// has at most nine digits, and no zeros at its end.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970, which reach from 1677 to 2262.
    public var nanoseconds: Int64

    private static let second: Int64 = 1_000_000_000

    /// The time at a number of nanoseconds since 1970.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The time of a clock or a file: `nanoseconds` after a number of seconds since 1970. Before 1677 and after 2262 it is
    /// the nearest time that there is.
    public init(seconds: Int64, nanoseconds: Int64) {
        self.nanoseconds = Int64(clamping: Int128(seconds) * Int128(Self.second) + Int128(nanoseconds))
    }

    /// Whether one time is before another.
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.nanoseconds < other.nanoseconds }
}

extension Timestamp: LosslessStringConvertible {
    /// The text. Each ingested file has such a time, and Foundation's formatter would take longer than all other work
    /// for its receipt.
    public var description: String {
        var (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: Self.second)
        if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + Self.second) }
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        return String(unsafeUninitializedCapacity: 40) { buffer in
            var count = 0
            func write(_ byte: UInt8) {
                buffer[count] = byte
                count += 1
            }
            func write(_ number: Int64, digits: Int) {
                var divisor = (1..<digits).reduce(Int64(1)) { power, _ in power * 10 }
                while divisor > 0 {
                    write(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                    divisor /= 10
                }
            }
            write(Int64(parts.tm_year) + 1900, digits: 4)
            for (separator, part) in [
                ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
                (":", parts.tm_sec),
            ] as [(Unicode.Scalar, Int32)] {
                write(UInt8(ascii: separator))
                write(Int64(part), digits: 2)
            }
            if fraction > 0 {
                write(UInt8(ascii: "."))
                write(fraction, digits: 9)
                while buffer[count - 1] == UInt8(ascii: "0") { count -= 1 }
            }
            write(UInt8(ascii: "Z"))
            return count
        }
    }

    /// The time of a text; `nil` for a text of another form.
    public init?(_ text: String) {
        // Each number has its place among the digits: 14 of the time, and at most nine of the fraction.
        var digits: [Int32] = []
        for byte in text.utf8.prefix(32) where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            digits.append(Int32(byte - UInt8(ascii: "0")))
        }
        guard (14...23).contains(digits.count) else { return nil }
        func number(_ places: Range<Int>) -> Int32 {
            places.reduce(0) { $0 * 10 + ($1 < digits.count ? digits[$1] : 0) }
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
        let time = Int128(timegm(&parts)) * Int128(Self.second) + Int128(number(14..<23))
        guard let nanoseconds = Int64(exactly: time) else { return nil }
        self.nanoseconds = nanoseconds
        // Other separators, other places, and days that no month has.
        guard description == text else { return nil }
    }
}

extension Timestamp: Codable {
    /// Reads the text.
    ///
    /// - Throws: `DecodingError` if it is no time.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no time in UTC")
        }
        self = time
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
