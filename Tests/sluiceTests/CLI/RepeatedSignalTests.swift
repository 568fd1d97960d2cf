import Testing

@testable import sluice

/// The signals that end a run.
@Suite struct RepeatedSignalTests {
    @Test func anEchoDoesNotKill() {
        var signals = RepeatedSignal()
        let begin = ContinuousClock.now
        #expect(signals.take(at: begin) == .first)
        #expect(signals.take(at: begin) == .echo)
        #expect(signals.take(at: begin + .milliseconds(499)) == .echo)
        #expect(signals.take(at: begin + .milliseconds(500)) == .again)
        #expect(signals.take(at: begin + .seconds(60)) == .again)
    }
}
