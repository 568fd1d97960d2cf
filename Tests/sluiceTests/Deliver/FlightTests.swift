import Testing

@testable import GroupContainer
@testable import Ingestion

/// What a sink's process has at the moment.
@Suite struct FlightTests {
    private static func delivery(_ id: String) -> ClaimedDelivery {
        ClaimedDelivery(
            seq: 1, id: id, key: "key-\(id)", sink: "mock", lead: 0, attempt: 1, deaths: 0, failures: 0, due: 0,
            isUncertain: false, troubles: 0, payload: "", package: 1, receiptText: "")
    }

    @Test func eachIsTakenOutOnce() {
        var flight = Flight()
        #expect(flight.isEmpty)
        for (place, id) in ["b", "a", "c"].enumerated() { flight.add(Self.delivery(id), place + 1, slot: place, []) }
        #expect(flight.handedIDs == ["b", "a", "c"], "in the order in which they were handed over")
        #expect(flight.has("a"))
        #expect(flight.remove("a")?.number == 2)
        #expect(flight.remove("a") == nil)
        #expect(!flight.has("a"))
        #expect(flight.remove("another") == nil)
        #expect(flight.count == 2)
        #expect(flight.removeAll().map(\.id) == ["b", "c"])
        #expect(flight.isEmpty)
    }

    /// An answer to a delivery that was only asked about is none, and the other way around.
    @Test func whatIsAskedAboutIsNotHandedOver() {
        var flight = Flight()
        flight.addChecked(Self.delivery("a"))
        flight.add(Self.delivery("b"), 2, slot: 0, [])
        #expect(!flight.has("a"))
        #expect(flight.remove("a") == nil)
        #expect(flight.removeChecked("b") == nil)
        #expect(flight.removeChecked("a")?.id == "a")
        #expect(flight.removeChecked("a") == nil)
        #expect(flight.handedIDs == ["b"])
        flight.add(Self.delivery("a"), 1, slot: 0, [])
        #expect(flight.remove("a")?.claimed.key == "key-a")
    }

    @Test func aSlotIsFreeWhenItsDeliveryIsOut() {
        var flight = Flight()
        #expect(flight.freeSlot == 0)
        flight.addChecked(Self.delivery("a"))
        #expect(flight.freeSlot == 0, "nothing is laid out for what is only asked about")
        for (place, id) in ["b", "c", "d"].enumerated() {
            #expect(flight.freeSlot == place)
            flight.add(Self.delivery(id), place + 2, slot: flight.freeSlot, [])
        }
        _ = flight.remove("c")
        #expect(flight.freeSlot == 1)
        _ = flight.remove("b")
        #expect(flight.freeSlot == 0)
    }

    @Test func foldersGoInLargerParts() {
        var flight = Flight()
        flight.add(Self.delivery("a"), 1, slot: 0, [])
        flight.addChecked(Self.delivery("b"))
        flight.add(Self.delivery("c"), 3, slot: 1, [])
        _ = flight.removeChecked("b")
        _ = flight.remove("c")
        flight.noteFinish(bytes: 10)
        #expect(!flight.isDueForFlush, "it waits for others")
        #expect(flight.takeFinishedNumbers().isEmpty, "one small folder")
        #expect(flight.takeFinishedNumbers(all: true) == [3])
        #expect(flight.takeFinishedNumbers(all: true).isEmpty)
        _ = flight.remove("a")
        flight.noteFinish(bytes: 64 << 20)
        #expect(flight.takeFinishedNumbers() == [1], "a large one")
    }
}
