internal import Files
internal import SinkHost
internal import SinkKit
package import SystemPackage

/// Tests whether a sink, in any language, keeps the sink protocol.
package struct ConformanceSuite: Sendable {
    private let manifest: FilePath
    private let options: ConformanceOptions

    /// - Parameter path: a sink's folder, or its `sink.json`.
    /// - Throws: ``SinkHostError`` if there is no `sink.json`.
    package init(sink path: FilePath, options: ConformanceOptions) throws {
        let isFolder = if case .folder? = try? Directory.kind(named: path) { true } else { false }
        let manifest = isFolder ? path.appending(InstalledSink.manifestName) : path
        guard (try? Directory.kind(named: manifest)) != nil else {
            throw SinkHostError(.usage, "\(manifest) is not there; name a sink's folder or its sink.json")
        }
        self.manifest = manifest.absolute
        self.options = options
    }

    /// Runs the checks one after the other, and reports each result at once. The checks block a thread of their own.
    ///
    /// - Returns: the numbers of passed, failed and skipped checks. A failed check is not an error.
    /// - Throws: if the suite itself cannot work (no temporary folder, no process, no required sandbox), or if it was
    ///   canceled.
    package func run(report: @escaping @Sendable (ConformanceResult) -> Void) async throws -> ConformanceSummary {
        let isStopped = StopFlag()
        let confiner = try await SharedConfiner(options.containment, notice: options.notice).value
        // The caller's cancellation does not reach a task of its own. So it ends the suite between two checks, and not
        // a sink in the middle of one.
        let checking = Task(executorPreference: QueueExecutor("sluice.conformance")) {
            try await check(confiner, isStopped, report)
        }
        return try await withTaskCancellationHandler {
            try await checking.value
        } onCancel: {
            isStopped.set()
        }
    }

    private func check(
        _ confiner: SinkConfiner, _ isStopped: StopFlag, _ report: @Sendable (ConformanceResult) -> Void
    ) async throws -> ConformanceSummary {
        var summary = ConformanceSummary()
        func tell(_ result: ConformanceResult) {
            summary.add(result.outcome)
            report(result)
        }
        let sink: InstalledSink
        do {
            sink = try InstalledSink(reading: manifest)
        } catch {
            tell(.invalid(manifest, error))
            return summary
        }
        let context = try ConformanceContext(
            sink, folder: manifest.removingLastComponent(), options: options, confiner: confiner)
        var whyNot: String?
        var failed: Set<String> = []
        let checks = (ConformanceCheck.all + SinkSample.checks(context.samples)).filter(isWanted)
        if checks.isEmpty {
            throw SinkHostError(.usage, "no check's name begins with \(options.only.joined(separator: " or "))")
        }
        for check in checks {
            if isStopped.isSet { throw CancellationError() }
            if let whyNot {
                tell(ConformanceResult(name: check.name, outcome: .skipped, why: whyNot))
                continue
            }
            let result = try await check.result(context, failed: failed)
            tell(result)
            if result.outcome == .failed { failed.insert(check.name) }
            if check.isFoundation, result.outcome == .failed { whyNot = "it depends on \(check.name), which failed" }
        }
        return summary
    }
}

extension ConformanceSuite {
    private func isWanted(_ check: ConformanceCheck) -> Bool {
        options.only.isEmpty || options.only.contains { check.name.hasPrefix($0) }
    }
}

extension ConformanceResult {
    fileprivate static func invalid(_ manifest: FilePath, _ error: any Error) -> Self {
        Self(
            name: ManifestCheck.name, outcome: .failed, why: "\(manifest): \(error)", rule: ManifestCheck.rule,
            remedy:
                "correct what the first line names; the keys of sink.json are listed in SinkProtocol, under that name")
    }
}
