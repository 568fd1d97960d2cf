import Glibc
import SinkKit

/// A sink for tests of hosts. It follows the protocol, except for the one misbehavior that its arguments name.
///
/// `mock [BEHAVIOR [VALUE…]] [--option value …]`; see ``Behavior`` and ``MockOptions``. It has no `sink.json`, so that
/// a host does not find it by itself: a test writes one into a temporary folder, with `mock` beside it.
@main enum Mock {
    static func main() {
        do {
            let options = try MockOptions(Array(CommandLine.arguments.dropFirst()))
            var session = MockSession(options)
            try session.run()
        } catch {
            Wire.log("mock: \(error)")
            exit(1)
        }
    }
}

/// An error that ends the mock.
struct MockFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
