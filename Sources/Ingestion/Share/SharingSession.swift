internal import Files
internal import GroupContainer
internal import ShareModel
internal import Synchronization
public import SystemPackage

/// Takes one share into a container, for a process that may end at any moment, such as a share extension.
///
/// A share is one package: a file, a link, a text, or several files and links that belong together. It is durable when
/// ``commit(progress:)`` returns, and before that nothing of it is in the container. No sink is started; a later run, or
/// `sluice deliver`, makes the deliveries. In a container that has to be migrated first, the share waits in the inbox.
///
/// ```swift
/// let session = SharingSession(options: IngestOptions(container: folder))
/// session.add(file: "/home/anna/photo.jpg")
/// session.add(link: "https://example.org/")
/// switch try await session.commit() {
/// case .stored(let receipt): print("\(receipt.id) is durable")
/// case .waiting(let share): print("\(share) is durable, and waits until the container is migrated")
/// }
/// ```
///
/// A process may run many sessions, also at the same time. After ``commit(progress:)`` has returned or thrown, the session
/// calls nothing of its caller's.
public final class SharingSession: Sendable {
    private enum Stage {
        case open(SharedContent)
        case committing(Task<SharingResult, any Error>)
        case over
        case canceled
    }

    private let options: IngestOptions
    private let makesContainer: Bool
    private let stage: Mutex<Stage>

    /// Begins a session. The container is not opened yet.
    ///
    /// - Parameters:
    ///   - options: the container, the title and the text of the share, its tags, the sinks that later deliveries are opened
    ///     for, and the limits.
    ///   - makesContainer: whether to make the container if there is none.
    public init(options: IngestOptions, makesContainer: Bool = true) {
        self.options = options
        self.makesContainer = makesContainer
        stage = Mutex(.open(SharedContent()))
    }

    /// Adds a file, or a folder that is one document. A relative path starts at the working folder.
    public func add(file path: FilePath) { add(.file(path)) }

    /// Adds a web address. Nothing is fetched.
    public func add(link address: String) { add(.link(address)) }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - name: the name that people see; `nil` for one by the type.
    ///   - type: the claimed type, a MIME type or a uniform type identifier. It does not decide the type.
    public func add(bytes: [UInt8], named name: String? = nil, type: String? = nil) {
        add(.bytes(bytes, name: name, type: type))
    }

    /// Adds an open file, which is read once, from its position to its end. It may be a pipe.
    ///
    /// - Parameter descriptor: the caller closes it, after ``commit(progress:)``.
    public func add(reading descriptor: FileDescriptor, named name: String, type: String? = nil) {
        add(.open(descriptor, name: name, type: type))
    }

    /// Adds standard input, as the only piece of the session.
    ///
    /// - Parameter name: takes it in as one file of this name. Otherwise its beginning decides; see
    ///   ``IngestInput/standardInput(name:)``.
    public func addStandardInput(named name: String? = nil) { add(.standardInput(name: name)) }

    /// A piece for a session that has ended is dropped.
    private func add(_ piece: SharedContent.Piece) {
        stage.withLock { stage in
            guard case .open(var content) = stage else { return }
            content.pieces.append(piece)
            stage = .open(content)
        }
    }

    /// Stores the share. It is durable when this returns.
    ///
    /// - Parameter progress: gets the progress, several times a second.
    /// - Returns: what became of it.
    /// - Throws: ``SharingError``. Nothing of the share is in the container then. A second call throws the code `container`,
    ///   and changes nothing.
    public func commit(progress: @escaping @Sendable (IngestProgress) -> Void = { _ in }) async throws(SharingError)
        -> SharingResult
    {
        let task = stage.withLock { stage -> Task<SharingResult, any Error>? in
            guard case .open(let content) = stage else { return nil }
            let task = Task { [options, makesContainer] in
                try await Self.withProgress(progress) {
                    try await Pipeline.share(content, options: options, makesContainer: makesContainer, meter: $0)
                }
            }
            stage = .committing(task)
            return task
        }
        guard let task else {
            if stage.withLock({ if case .canceled = $0 { true } else { false } }) {
                throw SharingError(CancellationError())
            }
            throw SharingError(.container, "the session has ended; begin another one")
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        stage.withLock { $0 = .over }
        do { return try result.get() } catch { throw SharingError(error) }
    }

    /// Cancels the session, from any thread. A share that is durable already stays.
    public func cancel() {
        stage.withLock { stage in
            switch stage {
            case .open: stage = .canceled
            case .committing(let task): task.cancel()
            case .over, .canceled: break
            }
        }
    }

    /// Reports the progress until `body` ends, and not after that.
    private static func withProgress(
        _ report: @escaping @Sendable (IngestProgress) -> Void, _ body: (ProgressMeter) async throws -> SharingResult
    ) async throws -> SharingResult {
        let meter = ProgressMeter()
        meter.setTotal(1)
        return try await withThrowingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .milliseconds(100))) != nil { report(meter.reading) }
            }
            defer { group.cancelAll() }
            return try await body(meter)
        }
    }
}
