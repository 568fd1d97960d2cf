import Foundation
import ShareModel
import Testing

@testable import Files

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

    @Test(
        arguments: [
            (0, 0, 0), (1, 5, 1_000_000_005), (-1, 999_999_999, -1), (9_223_372_036, 854_775_807, Int64.max),
            (9_223_372_036, 854_775_808, .max), (9_223_372_037, 0, .max), (Int64.max, 999_999_999, .max),
            (-9_223_372_037, 145_224_192, .min), (-9_223_372_037, 145_224_191, .min), (-9_223_372_038, 0, .min),
            (Int64.min, 0, .min),
        ] as [(Int64, Int64, Int64)])
    func aTimeOutOfRangeIsTheNearestOne(_ seconds: Int64, _ nanoseconds: Int64, _ nearest: Int64) throws {
        #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds).nanoseconds == nearest)
        var status = stat()
        (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) = (Int(seconds), Int(nanoseconds))
        status.st_ctim = status.st_mtim
        let stamp = SourceStamp(status)
        #expect(stamp.modified == nearest && stamp.changed == nearest)
        // A clock may be there, too.
        _ = stamp.isQuiet(at: nearest)
        #expect(!stamp.isQuiet(at: .min) || nearest == .min)
        // The file gets the time back, as far as its file system has it.
        let folder = try TestFolder()
        SystemFileSystem.system.setModified(Timestamp(nanoseconds: nearest), of: try folder.write("file", ""))
    }
}
