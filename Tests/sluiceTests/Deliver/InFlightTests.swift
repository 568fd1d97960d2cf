import ShareModel
import Testing

@testable import SinkHost

/// The deliveries that are in flight with a sink's process.
@Suite struct InFlightTests {
    private static func delivery(_ id: String) -> HostedDelivery {
        HostedDelivery(id: id, key: "key-\(id)", attempt: 1, isUncertain: false, title: nil, text: nil, parts: [])
    }

    private static func place(_ number: Int, slot: Int) -> InFlight.Place {
        .init(number: number, slot: slot, parts: [])
    }

    @Test func eachIsTakenOutOnce() {
        var flight = InFlight()
        #expect(flight.isEmpty)
        for (place, id) in ["b", "a", "c"].enumerated() {
            flight.add(Self.delivery(id), Self.place(place + 1, slot: place))
        }
        #expect(flight.handedIDs == ["b", "a", "c"], "in the order of handing over")
        #expect(flight.has("a"))
        #expect(flight.removeHanded("a")?.number == 2)
        #expect(flight.removeHanded("a") == nil)
        #expect(!flight.has("a"))
        #expect(flight.removeHanded("another") == nil)
        #expect(flight.ids == ["b", "c"])
    }

    /// A query is not answered by an outcome, and a delivery is not answered by the answer to a query.
    @Test func aQueriedDeliveryIsNotHandedOver() {
        var flight = InFlight()
        flight.add(Self.delivery("a"), nil)
        flight.add(Self.delivery("b"), Self.place(2, slot: 0))
        #expect(!flight.has("a"))
        #expect(flight.removeHanded("a") == nil)
        #expect(flight.removeQueried("b") == nil)
        #expect(flight.ids == ["a", "b"])
        #expect(flight.removeQueried("a")?.key == "key-a")
        #expect(flight.removeQueried("a") == nil)
        #expect(flight.handedIDs == ["b"])
        flight.add(Self.delivery("a"), Self.place(1, slot: 1))
        #expect(flight.removeHanded("a")?.slot == 1)
    }

    @Test func aSlotIsFreeWhenItsDeliveryIsOut() {
        var flight = InFlight()
        #expect(flight.freeSlot == 0)
        flight.add(Self.delivery("a"), nil)
        #expect(flight.freeSlot == 0, "a query needs no slot")
        for (place, id) in ["b", "c", "d"].enumerated() {
            #expect(flight.freeSlot == place)
            flight.add(Self.delivery(id), Self.place(place + 2, slot: flight.freeSlot))
        }
        _ = flight.removeHanded("c")
        #expect(flight.freeSlot == 1)
        _ = flight.removeHanded("b")
        #expect(flight.freeSlot == 0)
    }

    @Test func foldersGoInLargerParts() {
        var flight = InFlight()
        flight.add(Self.delivery("a"), Self.place(1, slot: 0))
        flight.add(Self.delivery("b"), nil)
        flight.add(Self.delivery("c"), Self.place(3, slot: 1))
        _ = flight.removeQueried("b")
        _ = flight.removeHanded("c")
        flight.note(answeredBytes: 10)
        #expect(flight.takeAnsweredNumbers(all: false).isEmpty, "one small folder")
        #expect(flight.takeAnsweredNumbers(all: true) == [3])
        #expect(flight.takeAnsweredNumbers(all: true).isEmpty)
        _ = flight.removeHanded("a")
        flight.note(answeredBytes: 64 << 20)
        #expect(flight.takeAnsweredNumbers(all: false) == [1], "a large one")
    }
}
