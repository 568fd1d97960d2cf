internal import GroupContainer
internal import ShareModel
internal import SystemPackage
internal import Unpacking

/// Reads the input in batches, several packages side by side, and hands each batch on in the order of the input.
///
/// Runs on a thread of its own: folders are listed and descriptions parsed here. The order decides which of two equal packages is the original, so a rerun after a crash must keep it.
actor BatchReader {
    private let input: IngestInput
    private let container: FilePath
    private var isStarted = false
    private var walk: PackageReader?
    /// What came through a pipe, with its own bytes.
    private var piped: (input: ReadInput, original: [UInt8])?
    private let workers: [IntakeWorker]
    /// What ended the reading; thrown once all before it is handed on.
    private var failure: (any Error)?
    private let limits: IngestLimits

    private let executor = QueueExecutor("sluice.read")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter container: the folder that a walk leaves out.
    init(_ input: IngestInput, container: FilePath, workers: [IntakeWorker], limits: IngestLimits) {
        self.input = input
        self.container = container
        self.workers = workers
        self.limits = limits
    }

    private func start() throws {
        guard !isStarted else { return }
        isStarted = true
        switch input {
        case .paths(let paths):
            walk = PackageReader(paths: paths, excluding: container, limits: limits.unpacking) { ManifestHasher($0) }
        case .standardInput:
            let bytes = try StandardInput.read(limit: limits.unpacking.descriptionBytes)
            guard !bytes.isEmpty else {
                throw IngestionError(
                    .usage, "nothing came on standard input; pipe a JSON description in, or name a PATH")
            }
            piped = (PackageReader.standardInput(bytes, limits: limits.unpacking), bytes)
        }
    }

    /// The next batch; `nil` at the end, and after a cancellation: what is half read then is let go.
    ///
    /// - Throws: where the container or the run is at fault, after everything before that was handed on.
    func next() async throws -> [Intake]? {
        do {
            if let failure { throw failure }
            try start()
            let batch = try await read()
            if batch.isEmpty, let failure { throw failure }
            return batch.isEmpty ? nil : batch
        } catch is CancellationError {
            return nil
        }
    }

    private func read() async throws -> [Intake] {
        let end = ContinuousClock.now + limits.batchDuration
        var bytes: Int64 = 0
        var taken = 0
        var handfuls: [IntakeWorker.Handful] = []
        try await withThrowingTaskGroup(of: (worker: Int, place: Int, handful: IntakeWorker.Handful).self) { group in
            // Twice each, so that none waits for the next names to be read.
            var idle = Array(workers.indices) + Array(workers.indices)
            while true {
                while let worker = idle.popLast() {
                    let isFull = taken >= limits.batchPackages || bytes >= limits.batchBytes || .now >= end
                    guard !isFull || taken == 0, failure == nil, !Task.isCancelled, case let inputs = nextInputs(),
                        !inputs.isEmpty
                    else {
                        idle.append(worker)
                        break
                    }
                    let (place, taker) = (handfuls.count, workers[worker])
                    handfuls.append(IntakeWorker.Handful())
                    group.addTask { (worker, place, await taker.take(inputs)) }
                    taken += inputs.count
                }
                guard let done = try await group.next() else { break }
                idle.append(done.worker)
                bytes += done.handful.intakes.reduce(0) { $0 + $1.bytes }
                handfuls[done.place] = done.handful
                if let error = done.handful.failure, !(failure is CancellationError) { failure = error }
            }
        }
        if failure is CancellationError { throw CancellationError() }
        return untilFailure(handfuls)
    }

    /// All intakes up to the first failure. What comes after it is let go, so that the order of packages stays that of
    /// the input, whenever the rest is read.
    private func untilFailure(_ handfuls: [IntakeWorker.Handful]) -> [Intake] {
        let end = handfuls.firstIndex { $0.failure != nil } ?? handfuls.count
        for late in handfuls.dropFirst(end + 1) { late.intakes.forEach { $0.staged.forEach { $0.discard() } } }
        return handfuls.prefix(end + 1).flatMap(\.intakes)
    }

    private func nextInputs() -> [HandedInput] {
        if let (input, original) = piped {
            piped = nil
            return [HandedInput(input: input, original: original)]
        }
        var inputs: [HandedInput] = []
        var bytes: Int64 = 0
        while inputs.count < limits.handfulPackages, bytes < limits.handfulBytes, let input = walk?.next() {
            inputs.append(HandedInput(input: input))
            if case .package(let package) = input { bytes += min(package.source.stamp?.size ?? 0, limits.handfulBytes) }
        }
        return inputs
    }
}
