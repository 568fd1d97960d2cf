internal import ShareModel

/// The stages of a batch, in order. Each stage takes the result of the one before.
struct BatchStages<Stored: Sendable>: Sendable {
    /// The next batch in the order of the input; `nil` at the end.
    var read: @Sendable () async throws -> [Intake]?
    /// Makes the content of a batch durable.
    var store: @Sendable ([Intake]) async throws -> Stored
    /// Makes the rows of a stored batch durable. A ``PartialCommit`` says that some of them are.
    var commit: @Sendable (Stored) async throws -> [Receipt]
    /// Waits for the deliveries of a committed batch.
    var deliver: @Sendable ([Receipt]) async throws -> [Receipt]
    /// Reports the receipts of a step to the listener, which may block.
    var report: @Sendable (BatchStep, [Receipt]) async -> Void
}

/// The two steps of a batch that the listener learns of.
enum BatchStep: Sendable {
    /// Its packages are durable. Their deliveries may be open.
    case committed
    /// Its deliveries have ended, or are left to a later run.
    case settled
}

/// Runs the stages of many batches side by side.
///
/// At any time at most one batch is read, one stored, one committed and one reported; several may wait for their
/// deliveries. So neither the disk nor a slow sink nor a slow listener holds up the others. Each batch is reported
/// twice, first as committed and later as settled; either step keeps the order in which the batches were read.
struct BatchPipeline<Stored: Sendable> {
    private enum Step: Sendable {
        case read(Result<[Intake]?, any Error>)
        case stored(Result<Stored, any Error>)
        case committed(Result<[Receipt], any Error>)
        case delivered(Int, Result<[Receipt], any Error>)
        case reported(BatchStep)
    }

    private let stages: BatchStages<Stored>
    private let window: Int
    private let listener: any TaskExecutor
    private var isReading = false
    private var isStoring = false
    private var isCommitting = false
    private var isReporting = false
    private var isAllRead = false
    private var batch: [Intake]?
    private var stored: Stored?
    /// Committed batches by their number, until their deliveries have ended.
    private var committed: [Int: [Receipt]] = [:]
    /// Committed batches that wait to be reported as such, in order.
    private var announcements: [[Receipt]] = []
    /// Batches by their number that wait to be reported.
    private var delivered: [Int: [Receipt]] = [:]
    private var storedCount = 0
    private var committedCount = 0
    private var reportedCount = 0
    private var isCutOff = false
    private var failure: (any Error)?

    /// - Parameters:
    ///   - window: the maximum number of batches that are stored and not yet reported; at least 1.
    ///   - listener: the thread of the `report` stage.
    init(_ stages: BatchStages<Stored>, window: Int, listener: any TaskExecutor) {
        self.stages = stages
        self.window = max(window, 1)
        self.listener = listener
    }

    /// Runs until every batch is reported.
    ///
    /// - Throws: the first error. All committed batches are reported before, because their packages are in.
    mutating func run() async throws {
        await withTaskGroup(of: Step.self) { group in
            start(&group)
            while let step = await group.next() {
                if let (number, receipts) = take(step) {
                    group.addTask { [stages] in
                        .delivered(number, await Result { try await stages.deliver(receipts) })
                    }
                }
                start(&group)
            }
        }
        if let failure { throw failure }
    }

    /// Starts each stage that is idle and has work.
    private mutating func start(_ group: inout TaskGroup<Step>) {
        if !isReporting, let (step, receipts) = nextReport() {
            isReporting = true
            group.addTask(executorPreference: listener) { [stages] in
                await stages.report(step, receipts)
                return .reported(step)
            }
        }
        if let stored, !isCommitting {
            (self.stored, isCommitting) = (nil, true)
            group.addTask { [stages] in .committed(await Result { try await stages.commit(stored) }) }
        }
        // A stored batch holds a lock that sinks and listeners may need. So it must wait for nothing but the commit of
        // the batch before it, and the window is checked before it is stored.
        if let batch, !isStoring, stored == nil, storedCount - reportedCount < window {
            (self.batch, isStoring) = (nil, true)
            storedCount += 1
            group.addTask { [stages] in .stored(await Result { try await stages.store(batch) }) }
        }
        if batch == nil, !isReading, !isAllRead, failure == nil {
            isReading = true
            group.addTask { [stages] in .read(await Result { try await stages.read() }) }
        }
    }

    /// A batch is announced before any is reported as settled, so each is announced first.
    private mutating func nextReport() -> (BatchStep, [Receipt])? {
        if !announcements.isEmpty { return (.committed, announcements.removeFirst()) }
        return delivered.removeValue(forKey: reportedCount).map { (.settled, $0) }
    }

    /// Records the end of a step; returns the committed batch whose deliveries begin now.
    private mutating func take(_ step: Step) -> (number: Int, receipts: [Receipt])? {
        switch step {
        case .read(.success(let read)):
            isReading = false
            isAllRead = read == nil
            batch = failure == nil ? read : nil
        case .read(.failure(let error)):
            isReading = false
            failure = failure ?? error
        case .stored(.success(let stored)):
            isStoring = false
            self.stored = isCutOff ? nil : stored
        case .stored(.failure(let error)):
            isStoring = false
            cutOff(by: error)
        case .committed(.success(let receipts)):
            isCommitting = false
            return begin(receipts)
        case .committed(.failure(let error as PartialCommit)):
            isCommitting = false
            cutOff(by: error.cause)
            return begin(error.receipts)
        case .committed(.failure(let error)):
            isCommitting = false
            cutOff(by: error)
        case .delivered(let number, .success(let receipts)):
            committed[number] = nil
            delivered[number] = receipts
        case .delivered(let number, .failure(let error)):
            failure = failure ?? error
            // The batch is committed, so its receipts are reported, with deliveries that are still open.
            delivered[number] = committed.removeValue(forKey: number)
        case .reported(let step):
            isReporting = false
            if step == .settled { reportedCount += 1 }
        }
        return nil
    }

    /// Numbers a committed batch, or the committed part of one.
    private mutating func begin(_ receipts: [Receipt]) -> (number: Int, receipts: [Receipt]) {
        defer { committedCount += 1 }
        committed[committedCount] = receipts
        announcements.append(receipts)
        return (committedCount, receipts)
    }

    /// Drops the batches behind one that could not be stored or committed. Otherwise a later package could become the
    /// original of an earlier one when the rest is read again.
    private mutating func cutOff(by error: any Error) {
        (isCutOff, batch, stored) = (true, nil, nil)
        failure = failure ?? error
    }
}

extension Result where Failure == any Error {
    /// The result of an asynchronous call.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
