internal import ShareModel

/// Batches on their way from being read to being told: one is read, one committed, and several settled at a time, so that
/// a slow sink holds up neither the others nor, for a while, the intake. They are told in the order in which they were read.
struct Conveyor {
    typealias Read = @Sendable () async throws -> [Intake]?
    typealias Commit = @Sendable ([Intake]) async throws -> [Receipt]
    typealias Settle = @Sendable ([Receipt]) async throws -> [Receipt]

    private enum Step: Sendable {
        case read(Result<[Intake]?, any Error>)
        case committed(Result<[Receipt], any Error>)
        case settled(Int, Result<[Receipt], any Error>)
    }

    /// How many batches may be committed and not told yet.
    private let window: Int
    private var isReading = false
    private var isCommitting = false
    private var isAllRead = false
    private var batch: [Intake]?
    /// Committed, by their place; what is settled is in the second.
    private var underway: [Int: [Receipt]] = [:]
    private var settled: [Int: [Receipt]] = [:]
    private var committedCount = 0
    private var toldCount = 0
    private var failure: (any Error)?

    init(window: Int) { self.window = max(window, 1) }

    /// Runs until all is read and told.
    ///
    /// - Throws: the first error, after all that is committed was told: it is in, whatever became of it later.
    mutating func run(
        read: @escaping Read, commit: @escaping Commit, settle: @escaping Settle, tell: ([Receipt]) async -> Void
    ) async throws {
        await withTaskGroup(of: Step.self) { group in
            start(&group, read, commit)
            while let step = await group.next() {
                if let (place, receipts) = take(step) {
                    group.addTask { .settled(place, await Result { try await settle(receipts) }) }
                }
                while let receipts = settled.removeValue(forKey: toldCount) {
                    toldCount += 1
                    await tell(receipts)
                }
                start(&group, read, commit)
            }
        }
        if let failure { throw failure }
    }

    private mutating func start(_ group: inout TaskGroup<Step>, _ read: @escaping Read, _ commit: @escaping Commit) {
        if let batch, !isCommitting, committedCount - toldCount < window {
            (self.batch, isCommitting) = (nil, true)
            group.addTask { .committed(await Result { try await commit(batch) }) }
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
            // What was read while a commit failed comes after what could not be committed, and is let go.
            batch = failure == nil ? read : nil
        case .read(.failure(let error)):
            isReading = false
            failure = failure ?? error
        case .committed(.success(let receipts)):
            isCommitting = false
            defer { committedCount += 1 }
            underway[committedCount] = receipts
            return (committedCount, receipts)
        case .committed(.failure(let error)):
            (isCommitting, batch) = (false, nil)
            failure = failure ?? error
        case .settled(let place, .success(let receipts)):
            underway[place] = nil
            settled[place] = receipts
        case .settled(let place, .failure(let error)):
            failure = failure ?? error
            settled[place] = underway.removeValue(forKey: place)
        }
        return nil
    }
}

extension Result where Failure == any Error {
    /// How a piece of work ended.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
