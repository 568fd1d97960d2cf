import Foundation

/// How much the tests of faults try: a sample in every test run, all of it with `SLUICE_TORTURE=1`.
enum Torture {
    static let isOn = ProcessInfo.processInfo.environment["SLUICE_TORTURE"] == "1"

    /// So many of some values, evenly spread; in a long run all, or `most` of them.
    static func sample<Value>(_ values: [Value], _ count: Int, most: Int = .max) -> [Value] {
        let count = isOn ? most : count
        guard values.count > count else { return values }
        return (0..<count).map { values[$0 * values.count / count] }
    }
}
