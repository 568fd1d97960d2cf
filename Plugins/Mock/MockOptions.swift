import SinkKit

/// What the mock's arguments say.
struct MockOptions {
    var behavior = Behavior.good
    /// Of the behavior.
    var values: [String] = []
    /// `--id`: what it greets as.
    var id = "mock"
    /// `--in-flight`: how many deliveries it takes at once.
    var inFlight = 1
    /// `--max-deliveries`: after how many it ends.
    var maxDeliveries: Int?
    /// `--features`: names with commas between them.
    var features: [SinkProtocol.Feature] = []
    /// `--nth`: misbehaves at this delivery alone, counted from 1 in each process.
    var nth: Int?
    /// `--on`: misbehaves only where the content has these bytes.
    var word: String?
    /// `--attempt`: misbehaves only at this attempt.
    var attempt: Int?
    /// `--once`: misbehaves only until this file is there, and makes it.
    var once: String?
    /// `--keys`: appends the key of each delivery that it has done to this file, makes no products, and answers checks by it.
    var keys: String?
    /// `--record`: appends each line that it gets to this file.
    var record: String?

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

    /// The behavior's value at a place, where it is a number.
    func number(_ place: Int) -> Int? { place < values.count ? Int(values[place]) : nil }
}
