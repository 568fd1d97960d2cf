import ShareModel
import Testing

@testable import GroupContainer
@testable import Ingestion

/// The deliveries that a worker has claimed.
@Suite struct DeliveryStateTests {
    private static func delivery(_ id: String, isUncertain: Bool = true) -> ClaimedDelivery {
        ClaimedDelivery(
            seq: 1, id: id, key: "key-\(id)", sink: "mock", lead: 0, attempt: 1, deaths: 0, failures: 0, due: 0,
            isUncertain: isUncertain, troubles: 0, payload: "", package: 1, fence: 1, receiptText: "")
    }

    @Test func theyGoInOrderAndUpToTheWindow() {
        var state = DeliveryState()
        #expect(state.isEmpty)
        state.add(["a", "b", "c"].map { Self.delivery($0) })
        #expect(state.next(window: 2)?.id == "a")
        #expect(state.next(window: 2)?.id == "b")
        #expect(state.next(window: 2) == nil, "the process must answer first")
        #expect(state.remove("a")?.id == "a")
        #expect(state.remove("a") == nil)
        #expect(state.next(window: 2)?.id == "c")
        #expect(state.isEmpty)
    }

    @Test func aSuspectIsTriedAlone() {
        var state = DeliveryState()
        state.add([Self.delivery("a"), Self.delivery("b")])
        #expect(state.next(window: 4)?.id == "a")
        state.add(suspects: [Self.delivery("s")])
        #expect(state.next(window: 4) == nil, "a suspect waits until nothing is in flight")
        _ = state.remove("a")
        #expect(state.next(window: 4)?.id == "s")
        #expect(state.next(window: 4) == nil, "no delivery goes beside a suspect")
        _ = state.remove("s")
        #expect(state.next(window: 4)?.id == "b")
    }

    /// A process died with several suspects. The one that it had last is the first of the next process.
    @Test func theNewestSuspectIsNext() {
        var state = DeliveryState()
        state.add(suspects: ["a", "b", "c"].map { Self.delivery($0) })
        #expect(state.next(window: 1)?.id == "a")
        _ = state.remove("a")
        _ = state.next(window: 1)
        state.add(suspects: state.remove("b").map { [$0] } ?? [])
        #expect(state.next(window: 1)?.id == "b")
    }

    /// The next process must not get a suspect beside other deliveries.
    @Test func aSuspectThatWasPutBackIsStillTriedAlone() {
        var state = DeliveryState()
        state.add([Self.delivery("a")])
        state.add(suspects: [Self.delivery("s")])
        #expect(state.next(window: 4)?.id == "s")
        state.putBack("s")
        #expect(state.next(window: 4)?.id == "s")
        #expect(state.next(window: 4) == nil)
        state.putBack("s", isCertain: true)
        state.putBack("never-in-flight")
        let pending = state.removePending()
        #expect(pending.map(\.id) == ["a", "s"])
        #expect(pending.map(\.isUncertain) == [true, false])
    }

    @Test func finishedOnesShareATransaction() {
        var state = DeliveryState()
        state.add([Self.delivery("a"), Self.delivery("b")])
        _ = state.next(window: 2)
        _ = state.next(window: 2)
        let claimed = state.remove("a")
        state.finish(FinishedDelivery(claimed ?? Self.delivery("a"), .delivered, nil))
        #expect(!state.isDueForFlush, "it waits for the delivery in flight")
        _ = state.remove("b")
        #expect(state.isDueForFlush, "nothing is in flight any more")
        #expect(state.removeFinished().map(\.ending.record.id) == ["a"])
        #expect(state.removeFinished().isEmpty)
    }
}
