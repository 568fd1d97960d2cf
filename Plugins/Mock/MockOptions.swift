import SinkKit

/// The arguments of the mock.
struct MockOptions {
    var behavior = Behavior.good
    /// The values of the behavior.
    var values: [String] = []
    /// `--id`: the id in its hello.
    var id = "mock"
    /// `--in-flight`: the `max_in_flight` in its hello.
    var inFlight = 1
    /// `--max-deliveries`: the number of answers after which it exits.
    var maxDeliveries: Int?
    /// `--features`: names, separated by commas.
    var features: [SinkProtocol.Feature] = []
    /// `--nth`: misbehave only at this delivery, counted from 1 in each process.
    var nth: Int?
    /// `--on`: misbehave only if the content contains this text.
    var word: String?
    /// `--attempt`: misbehave only at this attempt.
    var attempt: Int?
    /// `--once`: misbehave only if this file does not exist, and create it.
    var once: String?
    /// `--keys`: append the key of each finished delivery to this file, create no products, and answer checks from the
    /// file.
    var keys: String?
    /// `--record`: append each received line to this file.
    var record: String?
    /// The values of its secrets, which are no arguments.
    var secrets: [String] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        if let name = rest.first, !name.hasPrefix("--") {
            guard let behavior = Behavior(rawValue: name) else { throw MockFailure("no behavior is called '\(name)'") }
            self.behavior = behavior
            rest.removeFirst()
        }
        values = Array(rest.prefix { !$0.hasPrefix("--") })
        rest = rest.dropFirst(values.count)
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw MockFailure("\(option) has no value") }
            try set(option, value)
        }
    }

    private mutating func set(_ option: String, _ value: String) throws {
        switch option {
        case "--id": id = value
        case "--in-flight": inFlight = try Self.number(option, value)
        case "--max-deliveries": maxDeliveries = try Self.number(option, value)
        case "--features": features = value.split(separator: ",").map { .init(rawValue: String($0)) }
        case "--nth": nth = try Self.number(option, value)
        case "--attempt": attempt = try Self.number(option, value)
        case "--on": word = value
        case "--once": once = value
        case "--record": record = value
        case "--keys": keys = value
        default: throw MockFailure("no option is called \(option)")
        }
    }

    private static func number(_ option: String, _ value: String) throws -> Int {
        guard let number = Int(value) else { throw MockFailure("\(option) takes a number, not '\(value)'") }
        return number
    }

    /// The value of the behavior at this index, if it is a number.
    func number(_ place: Int) -> Int? { place < values.count ? Int(values[place]) : nil }
}
