import ArgumentParser
import Ingestion
import SinkConformance
import SinkHost

/// The options of commands that start sinks.
struct SandboxOptions: ParsableArguments {
    @Flag(help: "Start no sink unless it runs in a sandbox.")
    var requireSandbox = false

    @Flag(help: "Start sinks without a sandbox: they may do what you may.")
    var noSandbox = false

    func validate() throws {
        guard requireSandbox, noSandbox else { return }
        throw ValidationError("--require-sandbox and --no-sandbox exclude each other.")
    }

    /// Sets what was given, and where a missing sandbox is told.
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
