import SinkKit

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A sink for tests of hosts, which misbehaves in the one way that its arguments name, and is well-behaved without.
///
/// `mock [BEHAVIOR [VALUE…]] [--option value …]`; see ``Behavior`` and ``MockOptions``. It comes without a `sink.json`, so that no host
/// finds it by itself: a test writes one in a folder of its own, with `mock` beside it.
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

/// Why the mock cannot go on.
struct MockFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
