internal import ShareModel

/// Batches on their way from being read to being told: one is read, one stored, one committed, several settled and one told
/// at a time, so that neither the disk nor a slow sink nor a slow listener holds up the others. They are told in the order
/// in which they were read.
struct Conveyor<Stored: Sendable> {
    typealias Read = @Sendable () async throws -> [Intake]?
    typealias Store = @Sendable ([Intake]) async throws -> Stored
    typealias Commit = @Sendable (Stored) async throws -> [Receipt]
    typealias Settle = @Sendable ([Receipt]) async throws -> [Receipt]
    typealias Tell = @Sendable ([Receipt]) async -> Void

    private enum Step: Sendable {
        case read(Result<[Intake]?, any Error>)
        case stored(Result<Stored, any Error>)
        case committed(Result<[Receipt], any Error>)
        case settled(Int, Result<[Receipt], any Error>)
        case told
    }

    /// How many batches may be stored and not told yet.
    private let window: Int
    private let listener: TaskQueue
    private var isReading = false
    private var isStoring = false
    private var isCommitting = false
    private var isTelling = false
    private var isAllRead = false
    private var batch: [Intake]?
    private var stored: Stored?
    /// Committed, by their place; what is settled is in the second.
    private var underway: [Int: [Receipt]] = [:]
    private var settled: [Int: [Receipt]] = [:]
    private var storedCount = 0
    private var committedCount = 0
    private var toldCount = 0
    private var isCutOff = false
    private var failure: (any Error)?

    /// - Parameter listener: where what is told is listened to, which may block.
    init(window: Int, listener: TaskQueue) {
        self.window = max(window, 1)
        self.listener = listener
    }

    /// Runs until all is read and told.
    ///
    /// - Throws: the first error, after all that is committed was told: it is in, whatever became of it later.
    mutating func run(
        read: @escaping Read, store: @escaping Store, commit: @escaping Commit, settle: @escaping Settle,
        tell: @escaping Tell
    ) async throws {
        await withTaskGroup(of: Step.self) { group in
            start(&group, read, store, commit, tell)
            while let step = await group.next() {
                if let (place, receipts) = take(step) {
                    group.addTask { .settled(place, await Result { try await settle(receipts) }) }
                }
                start(&group, read, store, commit, tell)
            }
        }
        if let failure { throw failure }
    }

    private mutating func start(
        _ group: inout TaskGroup<Step>, _ read: @escaping Read, _ store: @escaping Store, _ commit: @escaping Commit,
        _ tell: @escaping Tell
    ) {
        if !isTelling, let receipts = settled.removeValue(forKey: toldCount) {
            isTelling = true
            group.addTask(executorPreference: listener) {
                await tell(receipts)
                return .told
            }
        }
        if let stored, !isCommitting {
            (self.stored, isCommitting) = (nil, true)
            group.addTask { .committed(await Result { try await commit(stored) }) }
        }
        // What is stored waits for nobody but the one before it: it holds a lock that those who settle or listen may need.
        if let batch, !isStoring, stored == nil, storedCount - toldCount < window {
            (self.batch, isStoring) = (nil, true)
            storedCount += 1
            group.addTask { .stored(await Result { try await store(batch) }) }
        }
        if batch == nil, !isReading, !isAllRead, failure == nil {
            isReading = true
            group.addTask { .read(await Result { try await read() }) }
        }
    }

    /// What a step changes; the committed batch that is to be settled now.
    private mutating func take(_ step: Step) -> (place: Int, receipts: [Receipt])? {
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
            defer { committedCount += 1 }
            underway[committedCount] = receipts
            return (committedCount, receipts)
        case .committed(.failure(let error)):
            isCommitting = false
            cutOff(by: error)
        case .settled(let place, .success(let receipts)):
            underway[place] = nil
            settled[place] = receipts
        case .settled(let place, .failure(let error)):
            failure = failure ?? error
            settled[place] = underway.removeValue(forKey: place)
        case .told:
            isTelling = false
            toldCount += 1
        }
        return nil
    }

    /// What comes after a batch that could not be stored or committed is let go.
    private mutating func cutOff(by error: any Error) {
        (isCutOff, batch, stored) = (true, nil, nil)
        failure = failure ?? error
    }
}

extension Result where Failure == any Error {
    /// How a piece of work ended.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
