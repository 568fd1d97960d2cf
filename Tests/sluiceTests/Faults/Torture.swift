import Foundation

/// The extent of the fault tests: a sample of the faults in every test run, all of them with `SLUICE_TORTURE=1`.
enum Torture {
    static let isOn = ProcessInfo.processInfo.environment["SLUICE_TORTURE"] == "1"

    /// At most `count` of the values, evenly spread. With `SLUICE_TORTURE=1`, at most `most`.
    static func sample<Value>(_ values: [Value], _ count: Int, most: Int = .max) -> [Value] {
        let count = isOn ? most : count
        guard values.count > count else { return values }
        return (0..<count).map { values[$0 * values.count / count] }
    }
}
