import Foundation
import SystemPackage
import Testing

@testable import GroupContainer

/// Each operation of a run fails once. Acknowledged packages must be kept, and a rerun must end as if nothing had
/// happened.
@Suite struct FaultTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test(arguments: FaultSchedule.Fault.allCases, FaultWorkload.Intake.allCases)
    func everyOperationCanFail(_ fault: FaultSchedule.Fault, _ intake: FaultWorkload.Intake) async throws {
        let workload = try FaultWorkload(in: folder, rounds: 1, by: intake)
        try await workload.run(on: folder["undisturbed"])
        let expected = try await ContainerFindings.state(of: folder["undisturbed"])
        let undisturbed = FaultSchedule(fault, at: .max)
        _ = try await disturbedRun(of: workload, on: folder["counted"], undisturbed)
        try #require(undisturbed.count > 10)
        // A failing run may end after fewer operations; a continuing run may do more.
        var failures = 0
        let places = Torture.sample(Array(1...undisturbed.count), 8)
        for place in places {
            let name = "\(fault)-\(place)"
            let (failure, findings) = try await check(
                name, workload, FaultSchedule(fault, at: place), expected,
                mayBeMissing: place > undisturbed.count * 49 / 50)
            if let failure {
                failures += 1
                if fault == .noSpace { #expect(failure.contains("space"), "\(name)") }
            }
            #expect(findings.isEmpty, "\(name), which ended with \(failure ?? "success")")
        }
        // Without this check, a run that ignores every error would pass. A failure during cleanup is no failure of the
        // run, and a sample may hit many of these.
        #expect(failures > (Torture.isOn ? places.count / 2 : 0))
        print(
            "faults: \(fault), \(intake), at \(places.count) of \(undisturbed.count) operations; \(failures) runs ended with an error"
        )
    }

    /// The end of the disturbed run, and the faults that were found afterwards.
    ///
    /// - Parameter mayBeMissing: whether the run may end without this operation. The rows have numbers of files and random
    ///   identifiers, so SQLite splits a page in one run that it need not split in another, and the last operations of
    ///   the counted run may have no counterpart.
    private func check(
        _ name: String, _ workload: FaultWorkload, _ schedule: FaultSchedule, _ expected: ContainerState,
        mayBeMissing: Bool
    ) async throws -> (failure: String?, findings: [String]) {
        let path = folder[name]
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let (failure, acknowledged) = try await disturbedRun(of: workload, on: path, schedule)
        let isMissed = !schedule.isHit && !(mayBeMissing && failure == nil)
        let losses = try ContainerFindings.losses(in: path, acknowledged: acknowledged)
        try await workload.run(on: path)
        let state = try await ContainerFindings.state(of: path)
        let missed = isMissed ? ["the fault was never reached"] : []
        return (failure, missed + losses + ContainerFindings.differences(state, from: expected))
    }

    private func disturbedRun(
        of workload: FaultWorkload, on path: FilePath, _ schedule: FaultSchedule
    ) async throws -> (failure: String?, acknowledged: Set<String>) {
        let acknowledgments = Acknowledgments()
        let watch = try WatchedSQLite(below: path, schedule)
        defer { withExtendedLifetime(watch) {} }
        do {
            try await workload.run(on: path, FaultyFileSystem(schedule)) { acknowledgments.add($0) }
            await ContainerFindings.settle(path)
            return (nil, acknowledgments.ids)
        } catch {
            await ContainerFindings.settle(path)
            return ("\(error)", acknowledgments.ids)
        }
    }
}
