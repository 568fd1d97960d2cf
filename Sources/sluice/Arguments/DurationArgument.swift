import ArgumentParser

/// A duration on the command line: a whole number and one of the units `s`, `m`, `h` and `d`. Without a unit, the
/// number counts seconds.
struct DurationArgument: ExpressibleByArgument, CustomStringConvertible {
    private static let units: [(name: Character, seconds: Int64)] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]

    let seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        let unit = Self.units.first { $0.name == argument.last }
        guard let count = Int64(unit == nil ? argument : String(argument.dropLast())), count >= 0 else { return nil }
        let (seconds, isTooMuch) = count.multipliedReportingOverflow(by: unit?.seconds ?? 1)
        guard !isTooMuch else { return nil }
        self.seconds = seconds
    }

    /// The duration that an option names.
    static func parse(_ text: String) throws -> DurationArgument {
        guard let duration = DurationArgument(argument: text) else {
            throw ValidationError("'\(text)' is no time; write 5, 5s or 2m")
        }
        return duration
    }

    /// The duration in the largest unit that divides it.
    var text: String {
        let unit = Self.units.last { seconds % $0.seconds == 0 && seconds > 0 } ?? Self.units[0]
        return "\(seconds / unit.seconds)\(unit.name)"
    }

    var description: String { text }
    var defaultValueDescription: String { text }
}
