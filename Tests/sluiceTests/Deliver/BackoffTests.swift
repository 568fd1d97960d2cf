import Testing

@testable import Ingestion

/// The wait after failures stays within its bounds for any random number.
@Suite struct BackoffTests {
    private static let day: Int64 = 24 * 3_600_000

    @Test(arguments: [1, 2, 3, 4, 9, 10, 11, 12, 40, 1_000, Int.max]) func itIsBetweenHalfAndTheWhole(_ failures: Int) {
        var generator = SeededGenerator(seed: 5)
        let whole: Int64 = min(2_000 << Int64(min(failures - 1, 30)), 3_600_000)
        let rests = (0..<2_000).map { _ in Backoff.milliseconds(after: failures, using: &generator) }
        #expect(rests.allSatisfy { (whole / 2...whole).contains($0) })
        #expect(Set(rests).count > 200, "the waits are random")
    }

    @Test func zeroAndLessAreTheFirst() {
        var generator = SeededGenerator(seed: 6)
        for failures in [0, -1, Int.min] {
            #expect((1_000...2_000).contains(Backoff.milliseconds(after: failures, using: &generator)))
        }
    }

    @Test func itIsAtLeastWhatTheSinkAskedUpToADay() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let failures = Int.random(in: 1...20, using: &generator)
            let asked = Int.random(in: 0...200_000_000, using: &generator)
            let rest = Backoff.milliseconds(after: failures, asked: asked, using: &generator)
            #expect(rest >= min(Int64(asked), Self.day))
            #expect(rest <= max(min(Int64(asked), Self.day), 3_600_000))
        }
        for asked in [Int.max, Int.max / 1_000] {
            #expect(Backoff.milliseconds(after: 1, asked: asked, using: &generator) == Self.day)
        }
        for asked in [0, -1, Int.min] {
            #expect((1_000...2_000).contains(Backoff.milliseconds(after: 1, asked: asked, using: &generator)))
        }
    }
}
