import Foundation
import ShareModel
import SystemPackage

@testable import GroupContainer

/// The possible power cuts of a recorded run, and the disk that each leaves.
struct PowerCuts {
    /// A disk after a power cut.
    struct Case {
        fileprivate let operations: [DiskOperation]
        /// The number of operations before the cut, and the fate of unsynced ones. Equal disks are represented by the
        /// first.
        let cut: Int
        let survival: Survival
        let acknowledged: Set<String>

        /// Made anew each time, because all disks together would not fit into memory.
        var disk: SurvivingDisk { SurvivingDisk(operations[..<cut], survival) }
    }

    /// The extent of the test, for the log.
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

    /// Cases with equal keys are the same.
    private struct Key: Hashable {
        let disk: Digest
        let acknowledged: Set<String>
    }

    static let survivals: [Survival] =
        [.everything, .syncedOnly, .names(zeros: false), .names(zeros: true), .bytes, .torn]
        + (1...(Torture.isOn ? 8 : 2)).map { .chance(seed: $0) }

    private let operations: [DiskOperation]
    /// The number of operations before the first possible cut.
    private let start: Int
    private let acknowledged: Set<String>

    /// Runs a workload in the folder `disk` of `folder` and records its operations.
    ///
    /// - Parameters:
    ///   - omission: the sync that is left out of the record.
    ///   - found: the disk that an earlier power cut left.
    init(
        of workload: FaultWorkload, in folder: TestFolder, omitting omission: OperationLog.Omission? = nil,
        after found: Case? = nil
    ) async throws {
        let base = folder["disk"]
        defer { try? FileManager.default.removeItem(atPath: base.string) }
        try FileManager.default.createDirectory(atPath: base.string, withIntermediateDirectories: true)
        try found?.disk.write(into: base)
        let log =
            found.map { OperationLog(below: base, holding: $0.disk) }
            ?? OperationLog(below: base, omitting: omission)
        start = log.operations.count
        acknowledged = found?.acknowledged ?? []
        let watch = try WatchedSQLite(below: base, log)
        try await workload.run(on: base.appending("container"), RecordingFileSystem(log)) { log.acknowledge($0) }
        await ContainerFindings.settle(base.appending("container"))
        withExtendedLifetime(watch) {}
        operations = log.operations
    }

    /// Each prefix of the operations is a possible cut. Of equal disks one is kept.
    ///
    /// - Parameters:
    ///   - count: the maximum number of cuts, evenly spread.
    ///   - most: the same for a long run.
    func cases(cuts count: Int, most: Int = .max, _ figures: inout Figures) -> [Case] {
        let cuts = Torture.sample(Array(start...operations.count), count, most: most)
        var seen: Set<Key> = []
        var cases: [Case] = []
        for cut in cuts {
            let done = operations[..<cut]
            var told = acknowledged
            for case .acknowledge(let acknowledgment) in done { told.take(acknowledgment) }
            for survival in Self.survivals {
                let found = Case(operations: operations, cut: cut, survival: survival, acknowledged: told)
                guard seen.insert(Key(disk: found.disk.digest, acknowledged: told)).inserted else { continue }
                cases.append(found)
            }
        }
        figures.operations += operations.count - start
        figures.cuts += cuts.count
        figures.disks += cases.count
        return cases
    }
}
