internal import GroupContainer
internal import SinkKit
public import SystemPackage

#if canImport(FoundationEssentials)
internal import Foundation
#else
internal import Foundation
#endif

/// Tests whether a sink, in whatever language, keeps the sink protocol: `sluice sinks test`.
public struct ConformanceSuite: Sendable {
    private let manifest: FilePath
    private let options: ConformanceOptions

    /// - Parameter path: a sink's folder, or its `sink.json`.
    /// - Throws: ``IngestionError`` where no `sink.json` is there.
    public init(sink path: FilePath, options: ConformanceOptions = ConformanceOptions()) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder)
        let manifest = isFolder.boolValue ? path.appending("sink.json") : path
        guard exists, FileManager.default.fileExists(atPath: manifest.string) else {
            throw IngestionError(.usage, "\(manifest) is not there; name a sink's folder or its sink.json")
        }
        let absolute = URL(filePath: manifest.string).standardizedFileURL.path
        self.manifest = FilePath(absolute)
        self.options = options
    }

    /// Runs every check, one after the other, and tells each one's end as it comes.
    ///
    /// - Returns: how many passed, failed and were skipped; a check that failed is no error.
    /// - Throws: where the suite itself cannot work (no temporary folder, no process to be had, no sandbox where one is
    ///   required), or was canceled.
    public func run(report: @escaping @Sendable (ConformanceResult) -> Void) async throws -> ConformanceSummary {
        let isStopped = StopFlag()
        let confiner = try await SharedConfiner(options.containment, notice: options.notice).value
        return try await withTaskCancellationHandler {
            try await Aside.run { try check(confiner, isStopped, report) }
        } onCancel: {
            isStopped.set()
        }
    }

    private func check(
        _ confiner: SinkConfiner, _ isStopped: StopFlag, _ report: (ConformanceResult) -> Void
    ) throws -> ConformanceSummary {
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
        let bench = try ConformanceBench(
            sink, folder: manifest.removingLastComponent(), options: options, confiner: confiner)
        var whyNot: String?
        var failed: Set<String> = []
        let checks = (ConformanceCheck.all + SinkSample.checks(bench.samples)).filter(isWanted)
        if checks.isEmpty {
            throw IngestionError(.usage, "no check's name begins with \(options.only.joined(separator: " or "))")
        }
        for check in checks {
            if isStopped.isSet { throw CancellationError() }
            if let whyNot {
                tell(ConformanceResult(name: check.name, outcome: .skipped, why: whyNot))
                continue
            }
            let result = try check.result(bench, failed: failed)
            tell(result)
            if result.outcome == .failed { failed.insert(check.name) }
            if check.isFoundation, result.outcome == .failed { whyNot = "it rests on \(check.name), which failed" }
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
            remedy: "mend sink.json; its keys are listed in SinkProtocol, \u{201C}The manifest\u{201D}")
    }
}
