internal import Files
internal import Synchronization
internal import SystemPackage

/// Makes all objects of a batch durable with one call: their data, their names and the folders above.
///
/// The kernel reports a failed write once to each descriptor that was open before it, and to none that is opened later.
/// Therefore the descriptor is opened before anything is staged.
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

    /// Opens the descriptor. Call this before staging anything that ``sync()`` makes durable.
    func open() throws { try state.withLock { try open(&$0) } }

    /// Makes everything durable that was written since ``open()``. After one failure every call fails.
    func sync() throws {
        try state.withLock { state in
            // The kernel reports a failed write only once, so a later success proves nothing.
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
