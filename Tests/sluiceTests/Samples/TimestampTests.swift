import Foundation
import ShareModel
import Testing

/// The text of a file's time.
@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000000001Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
        (250_000_000, "1970-01-01T00:00:00.25Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00Z"),
        (1_709_191_805_000_000_000, "2024-02-29T07:30:05Z"), (-2_203_891_200_000_000_000, "1900-03-01T00:00:00Z"),
        (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
    ])
    func textAndTimeAreTheSame(_ nanoseconds: Int64, _ text: String) throws {
        #expect(Timestamp(nanoseconds: nanoseconds).description == text)
        #expect(Timestamp(text)?.nanoseconds == nanoseconds)
        let coded = try JSONEncoder().encode([Timestamp(nanoseconds: nanoseconds)])
        #expect(String(decoding: coded, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([Timestamp].self, from: coded) == [Timestamp(nanoseconds: nanoseconds)])
    }

    @Test(arguments: [
        "", "Z", "2024-02-30T07:30:05Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:00:60Z", "2024-1-01T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00",
        "2024-01-01T00:00:00+01:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.10Z", "2024-01-01T00:00:00.+1Z",
        "2024-01-01T00:00:00.0000000001Z", "2263-01-01T00:00:00Z", "99999999999-01-01T00:00:00Z",
        "2147483647-01-01T00:00:00Z", "٢٠٢٤-01-01T00:00:00Z",
    ])
    func otherTextsAreNoTimes(_ text: String) { #expect(Timestamp(text) == nil) }
}
