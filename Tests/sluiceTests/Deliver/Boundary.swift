import Testing

/// A boundary of messages at which the host is killed: the mock stops there for ever.
struct Boundary: Sendable {
    /// By the mock's name.
    var point: String
    /// Which of the process' deliveries it is about.
    var delivery: Int?
    /// Whether all outcomes are committed before the kill.
    var isCommitted = false

    static let deliveries = 5

    /// From the start to the first delivery.
    static let opening = ["started", "hello-received", "hello-sent", "configure-received", "ready-sent"]
        .map { Boundary(point: $0) }

    /// Of a delivery.
    static func work(_ numbers: Int...) -> [Boundary] {
        numbers.flatMap { number in
            ["deliver-received", "acted", "progress-sent", "half-answered", "answered"]
                .map { Boundary(point: $0, delivery: number) }
        }
    }

    /// After the last answer.
    static let closing = [
        Boundary(point: "answered", delivery: deliveries, isCommitted: true), Boundary(point: "goodbye-received"),
    ]

    /// Of a check, which comes after another death.
    static let checking = ["check-received", "checked-sent"].map { Boundary(point: $0) }

    /// The mock's arguments.
    func behavior(_ mark: String) -> [String] {
        ["stop", point, mark] + (delivery.map { ["--nth", "\($0)"] } ?? [])
    }

    var name: Comment { "killed at \(point) \(delivery.map(String.init) ?? "")\(isCommitted ? " committed" : "")" }
}
