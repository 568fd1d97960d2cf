import Testing

/// A boundary between messages. The mock stops there for ever, and the test kills the host.
struct Boundary: Sendable {
    /// The mock's name for the boundary.
    var point: String
    /// The number of the delivery in the process; `nil` outside of deliveries.
    var delivery: Int?
    /// Whether all outcomes are committed before the kill.
    var isCommitted = false

    static let deliveries = 5

    /// The boundaries from the start to the first delivery.
    static let opening = ["started", "hello-received", "hello-sent", "configure-received", "ready-sent"]
        .map { Boundary(point: $0) }

    /// The boundaries of deliveries.
    static func work(_ numbers: Int...) -> [Boundary] {
        numbers.flatMap { number in
            ["deliver-received", "acted", "progress-sent", "half-answered", "answered"]
                .map { Boundary(point: $0, delivery: number) }
        }
    }

    /// The boundaries after the last answer.
    static let closing = [
        Boundary(point: "answered", delivery: deliveries, isCommitted: true), Boundary(point: "goodbye-received"),
    ]

    /// The boundaries of a check, which the host sends only after an earlier death.
    static let checking = ["check-received", "checked-sent"].map { Boundary(point: $0) }

    /// The mock's arguments.
    func behavior(_ mark: String) -> [String] {
        ["stop", point, mark] + (delivery.map { ["--nth", "\($0)"] } ?? [])
    }

    var name: Comment { "killed at \(point) \(delivery.map(String.init) ?? "")\(isCommitted ? " committed" : "")" }
}
