internal import Files
internal import Glibc
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// The folder of one writer below the container's `tmp`, for what it has not finished.
///
/// The writer holds a kernel lock on the folder while it lives. The next opening of the container removes the folders of
/// dead writers.
final class WriterFolder: Sendable {
    let path: FilePath
    private let lock: KernelLock
    private let fileSystem: any FileSystem
    private let isKept = Atomic(false)

    /// Makes a folder with a new name.
    init(in parent: FilePath, _ fileSystem: any FileSystem) throws {
        self.fileSystem = fileSystem
        while true {
            let path = parent.appending("\(getpid())-\(UInt32.random(in: 0 ... .max))")
            try fileSystem.ensureFolder(path)
            // A sweep of another process may lock the new folder before this writer does, and then removes it.
            do {
                guard let lock = try KernelLock(folder: path, fileSystem), try fileSystem.exists(path) else { continue }
                (self.path, self.lock) = (path, lock)
                return
            } catch {
                guard try !fileSystem.exists(path) else { throw error }
            }
        }
    }

    /// Takes over the folder of a dead writer; `nil` if the writer lives.
    private init?(ofDeadWriter path: FilePath, _ fileSystem: any FileSystem) {
        // A folder whose lock is free has no writer: the kernel releases the lock when its process ends.
        guard let lock = try? KernelLock(folder: path, fileSystem) else { return nil }
        (self.path, self.lock, self.fileSystem) = (path, lock, fileSystem)
    }

    deinit { if !isKept.load(ordering: .relaxed) { fileSystem.removeTree(path) } }

    /// Keeps the folder when this value ends, for the next sweep.
    func keep() { isKept.store(true, ordering: .relaxed) }

    /// Removes the folders of dead writers.
    ///
    /// - Parameter settle: receives the names that a dead writer had begun to take, and returns whether it decided about all of
    ///   them. Otherwise, and if it fails, the folder stays for a later sweep. Without it, folders with names stay.
    static func sweep(
        _ parent: FilePath, _ fileSystem: any FileSystem, settle: (([Digest]) throws -> Bool)? = nil
    ) throws {
        for name in try fileSystem.names(in: parent) {
            guard let dead = WriterFolder(ofDeadWriter: parent.appending(name), fileSystem) else { continue }
            guard TakenNames.exist(in: dead.path, fileSystem) else { continue }
            // A container must open, whatever is in such a folder.
            let isSettled = (try? settle?(TakenNames.read(in: dead.path, fileSystem))) ?? false
            if !isSettled { dead.keep() }
        }
    }
}
