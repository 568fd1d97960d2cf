/// How a sink has done lately, and whether it rests for that.
struct SinkStanding {
    /// So many failures in a row, and it is the sink's fault, not its deliveries': it rests.
    static let troubleLimit = 8

    /// Failures since the last success or rest.
    private var troubles = 0
    /// How often it was let rest without a success since, in earlier runs as well.
    private(set) var rests = 0
    private var isResting = false

    /// Takes what is on record with deliveries that were claimed just now. Claimed from a sink that rested, the first is a
    /// trial.
    mutating func begin(rests recorded: Int) {
        rests = max(rests, recorded)
        isResting = false
    }

    /// - Returns: whether a rest that is on record is over.
    mutating func succeed() -> Bool {
        troubles = 0
        defer { rests = 0 }
        return rests > 0
    }

    /// - Returns: whether it is to rest: it failed too often, or failed its trial.
    mutating func fail() -> Bool {
        troubles += 1
        return !isResting && (troubles >= Self.troubleLimit || rests > 0)
    }

    mutating func rest() {
        (troubles, isResting) = (0, true)
        rests += 1
    }
}
