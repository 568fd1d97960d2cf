import Ingestion
import Testing

@testable import sluice

/// The progress line as text, at instants that the tests choose.
@Suite struct ProgressLineTests {
    private static let start = ContinuousClock.now

    private func state(_ change: (inout ProgressLine.State) -> Void) -> ProgressLine.State {
        var state = ProgressLine.State()
        change(&state)
        return state
    }

    @Test func theRateIsThatOfTheLastSeconds() {
        var rate = Rate()
        rate.add(0, at: Self.start)
        #expect(rate.perSecond == nil)
        rate.add(100, at: Self.start + .seconds(10))
        rate.add(300, at: Self.start + .seconds(12))
        #expect(rate.perSecond == 100)
    }

    @Test func aWalkWithoutItsEndHasNoTotal() {
        let state = state {
            $0.run.packages = 867
            $0.run.reading = "in/paper.pdf"
            $0.bytes = 154_000_000
        }
        #expect(ProgressLine.text(state) == "867 packages · 154 MB · paper.pdf")
    }

    @Test func theTotalIsThereAsSoonAsItIsKnown() {
        let state = state {
            $0.run.packages = 867
            $0.run.total = 3_116
        }
        #expect(ProgressLine.text(state).hasPrefix("867 of 3,116 packages · "))
    }

    /// The line moves while sinks work, and says how long they will.
    @Test func deliveriesAreCounted() {
        let state = state {
            ($0.run.packages, $0.run.total) = (3_116, 3_116)
            ($0.run.deliveriesDone, $0.run.deliveries) = (812, 3_104)
            $0.bytes = 163_000_000
            $0.pace.add(3_116 + 612, at: Self.start)
            $0.pace.add(3_116 + 812, at: Self.start + .seconds(1))
        }
        let text = ProgressLine.text(state)
        #expect(text == "3,116 packages · 812 of 3,104 deliveries · 11 s left · 163 MB")
        #expect(DisplayWidth.fit(text, columns: 79) == text)
        #expect(DisplayWidth.fit(text, columns: 39) == "3,116 packages · 812 of 3,104 deliveri…")
    }

    @Test(arguments: [nil, 40]) func theTimeLeftNeedsAnEndAndAPace(total: Int?) {
        let state = state {
            ($0.run.packages, $0.run.total) = (10, total)
            $0.pace.add(10, at: Self.start)
            // Nothing has ended in the last seconds.
            $0.pace.add(10, at: Self.start + .seconds(2))
        }
        #expect(state.left == nil)
    }
}
