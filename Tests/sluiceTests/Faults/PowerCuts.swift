import Foundation
import ShareModel
import SystemPackage

@testable import GroupContainer

/// The power cuts that a recorded run can meet, and what each leaves of its container.
struct PowerCuts {
    /// A disk that a power cut left.
    struct Case {
        let disk: SurvivingDisk
        /// After how many operations, and what became of those that were not synced: the first of several such.
        let cut: Int
        let survival: Survival
        let acknowledged: Set<String>
    }

    /// What was tried, for people.
    struct Figures: CustomStringConvertible {
        var operations = 0
        var cuts = 0
        var disks = 0
        var checked = 0
        var rerun = 0

        var description: String {
            "power cuts: \(operations) operations, \(cuts) cuts, \(disks) different disks; \(checked) opened and checked, "
                + "\(rerun) run again"
        }
    }

    /// What makes two cases the same.
    private struct Key: Hashable {
        let disk: Digest
        let acknowledged: Set<String>
    }

    private static let survivals: [Survival] =
        [.everything, .syncedOnly, .names(zeros: false), .names(zeros: true), .bytes, .torn]
        + (1...(Torture.isOn ? 8 : 2)).map { .chance(seed: $0) }

    private let operations: [DiskOperation]

    /// Runs a workload in the folder `disk` of `folder`, recording what reaches it.
    init(of workload: FaultWorkload, in folder: TestFolder, omitting omission: OperationLog.Omission? = nil)
        async throws
    {
        let base = folder["disk"]
        try FileManager.default.createDirectory(atPath: base.string, withIntermediateDirectories: true)
        let log = OperationLog(below: base, omitting: omission)
        let watch = try WatchedSQLite(below: base, log)
        try await workload.run(on: base.appending("container"), RecordingFileSystem(log)) { log.acknowledge($0) }
        await ContainerFindings.settle(base.appending("container"))
        withExtendedLifetime(watch) {}
        operations = log.operations
    }

    /// Every prefix of the operations is a cut; of disks that are the same one is kept.
    ///
    /// - Parameter count: at most so many cuts, evenly spread.
    func cases(cuts count: Int, _ figures: inout Figures) -> [Case] {
        let cuts = Torture.sample(Array(0...operations.count), count)
        var seen: Set<Key> = []
        var cases: [Case] = []
        for cut in cuts {
            let done = operations[..<cut]
            let acknowledged = Set(done.compactMap { if case .acknowledge(let id) = $0 { id } else { nil } })
            for survival in Self.survivals {
                let disk = SurvivingDisk(done, survival)
                guard seen.insert(Key(disk: disk.digest, acknowledged: acknowledged)).inserted else { continue }
                cases.append(Case(disk: disk, cut: cut, survival: survival, acknowledged: acknowledged))
            }
        }
        figures.operations = operations.count
        figures.cuts = cuts.count
        figures.disks = cases.count
        return cases
    }
}
