import CWatchedVFS
import SystemPackage

/// Called before and after each of SQLite's operations on a file below a folder, on the same thread.
protocol SQLiteWatcher: AnyObject, Sendable {
    /// Returns 0, or the code with which the operation fails. A failing write still writes its first `count` bytes.
    func willDo(_ operation: inout watched_operation) -> Int32
    func didDo(_ operation: watched_operation)
}

/// Watches SQLite's files below a folder for as long as the value lives.
final class WatchedSQLite: Sendable {
    private let folder: FilePath

    init(below folder: FilePath, _ watcher: any SQLiteWatcher) throws {
        self.folder = folder
        let box = WatcherBox(watcher)
        let hooks = Self.hooks(Unmanaged.passRetained(box).toOpaque())
        guard watchedvfs_watch(folder.string, hooks) == 0 else { throw Errno.ioError }
    }

    deinit { watchedvfs_unwatch(folder.string) }

    private static func hooks(_ context: UnsafeMutableRawPointer) -> watcher {
        watcher(
            context: context,
            before: { context, operation in
                guard let operation, let box = WatcherBox.at(context) else { return 0 }
                return box.watcher.willDo(&operation.pointee)
            },
            after: { context, operation in
                guard let operation, let box = WatcherBox.at(context) else { return }
                box.watcher.didDo(operation.pointee)
            },
            release: { context in
                guard let context else { return }
                Unmanaged<WatcherBox>.fromOpaque(context).release()
            })
    }
}

/// A watcher in a form that C can hold.
private final class WatcherBox {
    let watcher: any SQLiteWatcher

    init(_ watcher: any SQLiteWatcher) { self.watcher = watcher }

    static func at(_ context: UnsafeMutableRawPointer?) -> WatcherBox? {
        context.map { Unmanaged<WatcherBox>.fromOpaque($0).takeUnretainedValue() }
    }
}
