import Foundation

/// How much the tests of faults try: a sample in every test run, all of it with `SLUICE_TORTURE=1`.
enum Torture {
    static let isOn = ProcessInfo.processInfo.environment["SLUICE_TORTURE"] == "1"

    /// All of some values, or so many of them, evenly spread.
    static func sample<Value>(_ values: [Value], _ count: Int) -> [Value] {
        guard !isOn, values.count > count else { return values }
        return (0..<count).map { values[$0 * values.count / count] }
    }
}
