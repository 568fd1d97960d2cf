internal import Files
internal import Synchronization
internal import SystemPackage

/// Makes the objects of a batch durable: their data, their names and the folders above.
///
/// For the whole file system, the kernel reports a failed write once to each descriptor that was open before it, and to none
/// that is opened later. Therefore the descriptor is opened before anything is staged.
final class SyncPoint: Sendable {
    private struct State {
        var descriptor: FileDescriptor?
        var failure: FileError?
    }

    private let folder: FilePath
    private let writer: WriterKind
    private let fileSystem: any FileSystem
    private let state = Mutex(State())

    /// - Parameter folder: the folder of all objects.
    init(folder: FilePath, _ writer: WriterKind, _ fileSystem: any FileSystem) {
        self.folder = folder
        self.writer = writer
        self.fileSystem = fileSystem
    }

    deinit { state.withLock { try? $0.descriptor?.close() } }

    /// Opens the descriptor. Call this before staging anything that is to be made durable.
    func open() throws { try state.withLock { try open(&$0) } }

    /// Makes the bytes of all staged objects durable. After one failure every call fails.
    func syncBytes() throws {
        // A share has synced each object already.
        if writer == .run { try sync(folders: []) }
    }

    /// Makes objects durable, with their names. After one failure every call fails.
    func sync(objects: some Sequence<FilePath>) throws {
        // Another process may have made the folder of an object a moment ago, so its own name may not be durable yet.
        try sync(folders: Set(objects.map { $0.removingLastComponent() }).union([folder]))
    }

    /// - Parameter folders: a sync of the whole file system does not ask for them.
    private func sync(folders: @autoclosure () -> Set<FilePath>) throws {
        try state.withLock { state in
            // The kernel reports a failed write only once, so a later success proves nothing.
            if let failure = state.failure { throw failure }
            do {
                switch writer {
                case .run:
                    try open(&state)
                    guard let descriptor = state.descriptor else { return }
                    try fileSystem.syncAll(descriptor, folder)
                case .share:
                    for folder in folders().sorted(by: { $0.string > $1.string }) { try fileSystem.syncFolder(folder) }
                }
            } catch let error as FileError {
                state.failure = error
                throw error
            }
        }
    }

    private func open(_ state: inout State) throws {
        if writer == .run, state.descriptor == nil {
            state.descriptor = try fileSystem.open(folder, .readOnly, .directory)
        }
    }
}
