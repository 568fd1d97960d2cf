import Foundation
import SystemPackage
import Testing

@testable import GroupContainer

/// The power goes at any moment, and the disk keeps of what was not synced whatever it likes.
@Suite struct PowerCutTests {
    private let folder: TestFolder
    private let workload: FaultWorkload

    init() throws {
        folder = try TestFolder(inMemory: true)
        workload = try FaultWorkload(in: folder, rounds: Torture.isOn ? 3 : 1)
    }

    @Test func whatWasAcknowledgedSurvives() async throws {
        try await workload.run(on: folder["undisturbed"])
        let expected = try await ContainerFindings.state(of: folder["undisturbed"])
        var figures = PowerCuts.Figures()
        let cases = try await PowerCuts(of: workload, in: folder).cases(cuts: 24, &figures)
        for (number, found) in Torture.sample(cases, 64).enumerated() {
            let path = folder["cut"]
            defer { try? FileManager.default.removeItem(atPath: path.string) }
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            try found.disk.write(into: path)
            let root = path.appending("container")
            var findings = try losses(found, root)
            figures.checked += 1
            // A run takes ten times as long as a look.
            if Torture.isOn || number % 4 == 0 {
                try await workload.run(on: root)
                let state = try await ContainerFindings.state(of: root)
                findings += ContainerFindings.differences(state, from: expected)
                figures.rerun += 1
            }
            #expect(findings.isEmpty, "\(found.survival), cut after \(found.cut) operations")
        }
        print(figures)
    }

    /// With a sync left out the model has to find a loss; one that found none would prove nothing.
    @Test(arguments: OperationLog.Omission.allCases)
    func theModelCatchesAMissingSync(_ omission: OperationLog.Omission) async throws {
        var figures = PowerCuts.Figures()
        let cuts = try await PowerCuts(of: workload, in: folder, omitting: omission)
        let cases = cuts.cases(cuts: 24, &figures).filter { $0.survival == .syncedOnly }
        let isCaught = try cases.contains { found in
            let path = folder["cut"]
            defer { try? FileManager.default.removeItem(atPath: path.string) }
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            try found.disk.write(into: path)
            return try !losses(found, path.appending("container")).isEmpty
        }
        #expect(isCaught)
    }

    /// What cannot be opened is lost.
    private func losses(_ found: PowerCuts.Case, _ root: FilePath) throws -> [String] {
        do {
            return try ContainerFindings.losses(in: root, acknowledged: found.acknowledged)
        } catch {
            return ["the container cannot be opened: \(error)"]
        }
    }
}
