internal import GroupContainer

/// Reads the input in batches, several packages side by side, and returns the batches in the order of the input.
///
/// The order decides which of two equal packages is the original, so a rerun after a crash must keep it.
actor BatchReader {
    typealias MakeArea = @Sendable () throws -> sending any StagingArea

    private let inputs: RunInputs
    private let makeArea: MakeArea
    private let workers: [IntakeWorker]
    /// The error that ended the reading. It is thrown after the packages before it were returned.
    private var failure: (any Error)?
    private let limits: IngestLimits
    /// The inputs that workers got.
    private var handed = 0
    private let meter: ProgressMeter

    /// - Parameter makeArea: makes a staging area for what must be copied before it can be read.
    init(
        _ inputs: RunInputs, workers: [IntakeWorker], limits: IngestLimits, meter: ProgressMeter,
        _ makeArea: @escaping MakeArea
    ) {
        self.inputs = inputs
        self.makeArea = makeArea
        self.workers = workers
        self.limits = limits
        self.meter = meter
    }

    /// The next batch; `nil` at the end of the input, and after a cancellation, which drops an unfinished batch. A batch of
    /// descriptions from a pipe is never dropped.
    ///
    /// - Throws: an error of the container or the run, after all packages before it were returned.
    func next() async throws -> [Intake]? {
        do {
            if let failure { throw failure }
            let batch = try await read()
            if batch.isEmpty, let failure { throw failure }
            return batch.isEmpty ? nil : batch
        } catch is CancellationError {
            return nil
        }
    }

    private func read() async throws -> [Intake] {
        // It begins with the first input, which may be waited for.
        var end: ContinuousClock.Instant?
        var bytes: Int64 = 0
        var taken = 0
        var chunks: [IntakeWorker.Chunk] = []
        // The memory of the inputs that the workers have, and of the intakes that are done.
        var (sizes, held): ([Int], Int) = ([], 0)
        try await withThrowingTaskGroup(of: (worker: Int, place: Int, chunk: IntakeWorker.Chunk).self) { group in
            // Each worker may have two chunks. It begins the second one at once, without waiting for the next names.
            var idle = Array(workers.indices) + Array(workers.indices)
            while true {
                while let worker = idle.popLast() {
                    let isLate = end.map { ContinuousClock.now >= $0 } ?? false
                    let isFull =
                        taken >= limits.batchPackages || bytes >= limits.batchBytes || held >= limits.batchMemory
                        || isLate
                    // Even a batch without time left takes one chunk, because an empty batch means the end of the
                    // input. A batch that has inputs does not wait for others.
                    guard !isFull || taken == 0, failure == nil,
                        let inputs = await nextInputs(waiting: taken == 0), !inputs.isEmpty
                    else {
                        idle.append(worker)
                        break
                    }
                    if end == nil { end = ContinuousClock.now + limits.batchDuration }
                    let (place, taker) = (chunks.count, workers[worker])
                    chunks.append(IntakeWorker.Chunk())
                    sizes.append(inputs.reduce(0) { $0 + $1.memory })
                    held += sizes[place]
                    group.addTask { (worker, place, await Self.take(inputs, by: taker)) }
                    taken += inputs.count
                    handed += inputs.count
                }
                guard let done = try await group.next() else { break }
                idle.append(done.worker)
                bytes += done.chunk.intakes.reduce(0) { $0 + $1.bytes }
                held += done.chunk.intakes.reduce(0) { $0 + $1.memory } - sizes[done.place]
                chunks[done.place] = done.chunk
                if let error = done.chunk.failure, !(failure is CancellationError) { failure = error }
            }
        }
        if failure is CancellationError { throw CancellationError() }
        return untilFailure(chunks)
    }

    /// The intakes before the first failure. Later ones are discarded, although they are whole: the next run reads them
    /// again, and packages keep the order of the input.
    private func untilFailure(_ chunks: [IntakeWorker.Chunk]) -> [Intake] {
        let end = chunks.firstIndex { $0.failure != nil } ?? chunks.count
        for late in chunks.dropFirst(end + 1) { late.intakes.forEach { $0.staged.forEach { $0.discard() } } }
        return chunks.prefix(end + 1).flatMap(\.intakes)
    }

    /// Has a worker take inputs. The only copies of their input are taken even if the run is cancelled.
    private static func take(_ inputs: [HandedInput], by worker: IntakeWorker) async -> IntakeWorker.Chunk {
        guard inputs.contains(where: \.isOnlyCopy) else { return await worker.take(inputs) }
        return await Task { await worker.take(inputs) }.value
    }

    /// The inputs for a worker; none at the end of the input, and after a failure; `nil` if they are still to come.
    private func nextInputs(waiting: Bool) async -> [HandedInput]? {
        do {
            let next = try await inputs.next(waiting: waiting, makeArea)
            // A run that is cancelled has not seen the end.
            if let next, next.isEmpty, !Task.isCancelled { meter.setTotal(handed) }
            return next
        } catch {
            failure = error
            return []
        }
    }
}
