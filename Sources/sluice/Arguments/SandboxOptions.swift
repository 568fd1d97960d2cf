import ArgumentParser
import Ingestion
import SinkConformance
import SinkHost

/// The options of commands that start sinks.
struct SandboxOptions: ParsableArguments {
    @Flag(help: "Start a sink only in a sandbox.")
    var requireSandbox = false

    @Flag(help: "Start sinks without a sandbox: they may do everything that you may.")
    var noSandbox = false

    func validate() throws {
        guard requireSandbox, noSandbox else { return }
        throw ValidationError("--require-sandbox and --no-sandbox cannot be used together.")
    }

    /// Sets the requirement, and prints a warning on standard error if a sink has no sandbox.
    func set(_ options: inout IngestOptions, console: Console) {
        options.containment = containment
        options.notice = Self.notice(console)
    }

    /// The same for the conformance suite.
    func set(_ options: inout ConformanceOptions, console: Console) {
        options.containment = containment
        options.notice = Self.notice(console)
    }

    private var containment: ContainmentRequirement { requireSandbox ? .required : noSandbox ? .off : .preferred }

    private static func notice(_ console: Console) -> @Sendable (String) -> Void {
        { console.say("\("warning:", .warning) \($0)") }
    }
}
