import CWatchedVFS
import Foundation
import Synchronization
import SystemPackage

/// Records all operations on a folder, including SQLite's, with relative paths. Each operation runs and is recorded
/// under one lock, so the record has the order of the disk.
final class OperationLog: Sendable {
    /// A sync that reports success and does nothing, as in a program with a bug or on a disk that lies.
    enum Omission: CaseIterable {
        /// The sync that makes a batch's objects durable.
        case syncAll
        /// The syncs of a share's objects.
        case files
        /// The syncs of the folders of a share's objects.
        case folders
        /// The sync of the catalog's log after each transaction.
        case catalog

        /// The intake that makes the sync.
        var intake: FaultWorkload.Intake { self == .files || self == .folders ? .shares : .run }
    }

    struct State {
        let base: FilePath
        let omission: Omission?
        var operations: [DiskOperation] = []
        /// The numbers of the files by their current names.
        var files: [String: Int] = [:]
        /// The numbers of the files by descriptor. A closed descriptor stays until its number is used again.
        var opened: [Int32: Int] = [:]
        var count = 0
    }

    private let lock = NSLock()
    // Guarded by `lock`. SQLite's operations hold it from `willDo` to `didDo`.
    nonisolated(unsafe) private var state: State

    init(below base: FilePath, omitting omission: Omission? = nil) { state = State(base: base, omission: omission) }

    /// Begins with operations that make the disk as it is.
    init(below base: FilePath, holding disk: SurvivingDisk, omitting omission: Omission? = nil) {
        state = State(base: base, omission: omission)
        for folder in disk.folders.sorted() { state.operations.append(.makeFolder(folder)) }
        for (path, bytes) in disk.files {
            let file = state.create(base.appending(path))
            state.operations.append(.write(file: file, offset: 0, bytes))
        }
        for (path, destination) in disk.links { state.link(base.appending(path), to: destination) }
        state.operations.append(.syncAll)
    }

    var operations: [DiskOperation] { lock.withLock { state.operations } }

    func acknowledge(_ acknowledgment: Acknowledgment) {
        lock.withLock { state.operations.append(.acknowledge(acknowledgment)) }
    }

    /// Does an operation on the disk; `body` records it.
    func record<Value, Failure: Error>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}

extension OperationLog.State {
    func relative(_ path: FilePath) -> String { String(path.string.dropFirst(base.string.count + 1)) }

    func file(_ path: FilePath) -> Int? { files[relative(path)] }

    mutating func create(_ path: FilePath) -> Int {
        count += 1
        files[relative(path)] = count
        operations.append(.create(file: count, relative(path)))
        return count
    }

    mutating func link(_ path: FilePath, to destination: String) {
        count += 1
        files[relative(path)] = count
        operations.append(.link(file: count, relative(path), to: destination))
    }

    mutating func write(_ file: Int?, at offset: Int, _ bytes: UnsafeRawBufferPointer) {
        guard let file else { return }
        operations.append(.write(file: file, offset: offset, Array(bytes)))
    }

    mutating func move(_ source: FilePath, to target: FilePath) {
        guard let file = files.removeValue(forKey: relative(source)) else {
            return moveFolder(relative(source), to: relative(target))
        }
        files[relative(target)] = file
        operations.append(.move(file: file, from: relative(source), to: relative(target)))
    }

    /// A file that was there before the record has no number, and is no folder.
    private mutating func moveFolder(_ source: String, to target: String) {
        let inside = files.keys.filter { $0.hasPrefix(source + "/") }
        guard !inside.isEmpty else { return }
        for path in inside { files[target + path.dropFirst(source.count)] = files.removeValue(forKey: path) }
        operations.append(.moveFolder(from: source, to: target))
    }

    mutating func remove(_ path: FilePath) {
        files[relative(path)] = nil
        operations.append(.remove(relative(path)))
    }
}

extension OperationLog: SQLiteWatcher {
    func willDo(_ operation: inout watched_operation) -> Int32 {
        lock.lock()
        return 0
    }

    func didDo(_ operation: watched_operation) {
        let path = FilePath(String(cString: operation.path))
        switch operation.kind {
        case watched_create: _ = state.create(path)
        case watched_write:
            let bytes = UnsafeRawBufferPointer(start: operation.bytes, count: Int(operation.count))
            state.write(state.file(path), at: Int(operation.offset), bytes)
        case watched_truncate:
            if let file = state.file(path) {
                state.operations.append(.truncate(file: file, size: Int(operation.offset)))
            }
        case watched_sync:
            if state.omission != .catalog, let file = state.file(path) { state.operations.append(.syncFile(file)) }
        case watched_delete: if state.file(path) != nil { state.remove(path) }
        default: state.operations.append(.syncFolder(state.relative(path.removingLastComponent())))
        }
        lock.unlock()
    }
}
