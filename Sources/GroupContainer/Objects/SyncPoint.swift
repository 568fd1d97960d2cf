internal import Files
internal import Synchronization
internal import SystemPackage

/// Where the store makes its objects durable: one call for all of a batch, their data, their names and the folders above.
///
/// The system tells of a failed write once to each descriptor that was open by then, and to none that is opened later. So
/// the descriptor is opened before anything is staged; and after one failure nothing is believed any more.
final class SyncPoint: Sendable {
    private struct State {
        var descriptor: FileDescriptor?
        var failure: FileError?
    }

    private let folder: FilePath
    private let fileSystem: any FileSystem
    private let state = Mutex(State())

    init(folder: FilePath, _ fileSystem: any FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    deinit { state.withLock { try? $0.descriptor?.close() } }

    /// To be called before anything is staged that ``sync()`` is to make durable.
    func open() throws { try state.withLock { try open(&$0) } }

    /// Makes durable all that was written since.
    func sync() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            try open(&state)
            guard let descriptor = state.descriptor else { return }
            do throws(FileError) { try fileSystem.syncAll(descriptor, folder) } catch {
                state.failure = error
                throw error
            }
        }
    }

    private func open(_ state: inout State) throws {
        if state.descriptor == nil { state.descriptor = try fileSystem.open(folder, .readOnly, .directory) }
    }
}
