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
        case .paths(let paths): walk = PackageReader(paths: paths, excluding: container, limits: limits.unpacking)
        case .standardInput:
            let bytes = try StandardInput.read(limit: limits.unpacking.descriptionBytes)
            piped = (PackageReader.standardInput(bytes, limits: limits.unpacking), bytes)
        }
    }

    /// The next batch; `nil` at the end, and after a cancellation: what is half read then is let go.
    func next() async throws -> [Intake]? {
        do {
            try start()
            let batch = try await read()
            return batch.isEmpty ? nil : batch
        } catch is CancellationError {
            return nil
        }
    }

    private func read() async throws -> [Intake] {
        let end = ContinuousClock.now + limits.batchDuration
        var bytes: Int64 = 0
        var taken = 0
        var intakes: [Int: Intake] = [:]
        try await withThrowingTaskGroup(of: (worker: Int, place: Int, intake: Intake).self) { group in
            var idle = Array(workers.indices)
            while true {
                while let worker = idle.popLast() {
                    let isFull = taken >= limits.batchPackages || bytes >= limits.batchBytes || .now >= end
                    guard !isFull || taken == 0, !Task.isCancelled, let (input, original) = nextInput() else {
                        idle.append(worker)
                        break
                    }
                    let (place, taker) = (taken, workers[worker])
                    group.addTask { (worker, place, try await taker.take(input, original: original)) }
                    taken += 1
                }
                guard let done = try await group.next() else { break }
                idle.append(done.worker)
                bytes += done.intake.bytes
                intakes[done.place] = done.intake
            }
        }
        return (0..<taken).compactMap { intakes[$0] }
    }

    private func nextInput() -> (ReadInput, [UInt8]?)? {
        if let (input, original) = piped {
            piped = nil
            return (input, original)
        }
        return walk?.next().map { ($0, nil) }
    }
}
