internal import Synchronization
internal import SystemPackage

/// The files of discarded objects, to be written over: where most content is known already, the file system would
/// otherwise make and remove a file for each, which is the dearest thing that it does.
final class SpareFiles: Sendable {
    private let paths = Mutex<[FilePath]>([])

    func take() -> FilePath? { paths.withLock { $0.popLast() } }

    func give(_ path: FilePath) { paths.withLock { $0.append(path) } }
}
