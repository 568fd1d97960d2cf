import Foundation
import SystemPackage
import Testing

@testable import GroupContainer

/// The power fails at any moment, and the disk keeps any part of the data that was not synced.
@Suite struct PowerCutTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    private func workload(_ intake: FaultWorkload.Intake = .run) throws -> FaultWorkload {
        try FaultWorkload(in: folder, rounds: Torture.isOn ? 2 : 1, by: intake)
    }

    @Test(arguments: FaultWorkload.Intake.allCases)
    func acknowledgedPackagesSurvive(_ intake: FaultWorkload.Intake) async throws {
        let workload = try workload(intake)
        let expected = try await undisturbed(workload)
        var figures = PowerCuts.Figures()
        let cases = try await PowerCuts(of: workload, in: folder).cases(cuts: 24, &figures)
        for (number, found) in Torture.sample(cases, 64).enumerated() {
            // A run takes ten times as long as a check.
            try await check(found, workload, number % 4 == 0 ? expected : nil, &figures)
        }
        print(intake, figures)
    }

    /// A second power cut during the run that repairs after the first.
    @Test func aSecondCutLosesNothing() async throws {
        let workload = try workload()
        let expected = try await undisturbed(workload)
        var (first, figures) = (PowerCuts.Figures(), PowerCuts.Figures())
        let starts = try await PowerCuts(of: workload, in: folder).cases(cuts: 16, &first)
        for start in Torture.sample(starts, 3, most: 48) {
            let cuts = try await PowerCuts(of: workload, in: folder, after: start)
            let cases = Torture.sample(cuts.cases(cuts: 4, most: 24, &figures), 8, most: 48)
            for (number, found) in cases.enumerated() {
                try await check(
                    found, workload, number % 4 == 0 ? expected : nil, &figures, "after \(start.survival), \(start.cut)"
                )
            }
        }
        print("second", figures)
    }

    private func undisturbed(_ workload: FaultWorkload) async throws -> ContainerState {
        try await workload.run(on: folder["undisturbed"])
        return try await ContainerFindings.state(of: folder["undisturbed"])
    }

    /// Opens the container after a cut and looks for losses. Runs the workload again if the expected end state is
    /// given.
    private func check(
        _ found: PowerCuts.Case, _ workload: FaultWorkload, _ expected: ContainerState?,
        _ figures: inout PowerCuts.Figures, _ name: String = ""
    ) async throws {
        let path = folder["cut"]
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        try found.disk.write(into: path)
        let root = path.appending("container")
        var findings = losses(found, root)
        figures.checked += 1
        if let expected, findings.isEmpty {
            try await workload.run(on: root)
            findings += try await ContainerFindings.differences(ContainerFindings.state(of: root), from: expected)
            figures.rerun += 1
        }
        #expect(findings.isEmpty, "\(found.survival), cut after \(found.cut) operations \(name)")
    }

    /// The model must find a loss if the run leaves out a sync. Otherwise its other results prove nothing.
    @Test(arguments: OperationLog.Omission.allCases)
    func theModelCatchesAMissingSync(_ omission: OperationLog.Omission) async throws {
        var figures = PowerCuts.Figures()
        let cuts = try await PowerCuts(of: workload(omission.intake), in: folder, omitting: omission)
        let cases = cuts.cases(cuts: 24, &figures).filter { $0.survival == .syncedOnly }
        let isCaught = try cases.contains { found in
            let path = folder["cut"]
            defer { try? FileManager.default.removeItem(atPath: path.string) }
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            try found.disk.write(into: path)
            return !losses(found, path.appending("container")).isEmpty
        }
        #expect(isCaught)
    }

    /// A container that cannot be opened is lost.
    private func losses(_ found: PowerCuts.Case, _ root: FilePath) -> [String] {
        do {
            return try ContainerFindings.losses(in: root, acknowledged: found.acknowledged)
        } catch {
            return ["the container cannot be opened: \(error)"]
        }
    }
}
