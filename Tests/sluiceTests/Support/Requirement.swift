import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that needs something of the machine: left out where that is missing, and a failure under
    /// `SLUICE_REQUIRE_ALL=1`, as in CI, where no test may go missing in silence.
    static func needs(_ what: Comment, _ isThere: @autoclosure @escaping @Sendable () throws -> Bool) -> Self {
        .enabled(what) {
            let isThere = try isThere()
            guard isThere || !Requirement.isStrict else {
                throw Requirement.Missing(description: "needs \(what.rawValue)")
            }
            return isThere
        }
    }
}

enum Requirement {
    static let isStrict = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_ALL"] == "1"

    struct Missing: Error, CustomStringConvertible {
        var description: String
    }
}
