import CWatchedVFS
import Foundation
import Synchronization
import SystemPackage

/// The record of all that reached a folder, SQLite's operations included, with paths relative to it. Each is done and
/// recorded under one lock, so that the order of the record is the order of the disk.
final class OperationLog: Sendable {
    /// A sync that is reported as done and is none: what a broken program would do, or a disk that lies.
    enum Omission: CaseIterable {
        /// The one that makes a batch's objects durable.
        case syncAll
        /// That of the catalog's log, after each transaction.
        case catalog
    }

    struct State {
        let base: FilePath
        let omission: Omission?
        var operations: [DiskOperation] = []
        /// The numbers of the files by their names of now.
        var files: [String: Int] = [:]
        /// By descriptor; one that is closed stays until the number is used again.
        var opened: [Int32: Int] = [:]
        var count = 0
    }

    private let lock = NSLock()
    // Guarded by `lock`, which SQLite's operations hold from one call to another.
    nonisolated(unsafe) private var state: State

    init(below base: FilePath, omitting omission: Omission? = nil) { state = State(base: base, omission: omission) }

    /// A record that begins with a disk as it is found.
    init(below base: FilePath, holding disk: SurvivingDisk) {
        state = State(base: base, omission: nil)
        for folder in disk.folders.sorted() { state.operations.append(.makeFolder(folder)) }
        for (path, bytes) in disk.files {
            let file = state.create(base.appending(path))
            state.operations.append(.write(file: file, offset: 0, bytes))
        }
        state.operations.append(.syncAll)
    }

    var operations: [DiskOperation] { lock.withLock { state.operations } }

    func acknowledge(_ acknowledgment: Acknowledgment) {
        lock.withLock { state.operations.append(.acknowledge(acknowledgment)) }
    }

    /// Does something to the disk; `body` records what it did.
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

    mutating func write(_ file: Int?, at offset: Int, _ bytes: UnsafeRawBufferPointer) {
        guard let file else { return }
        operations.append(.write(file: file, offset: offset, Array(bytes)))
    }

    mutating func move(_ source: FilePath, to target: FilePath) {
        guard let file = files.removeValue(forKey: relative(source)) else { return }
        files[relative(target)] = file
        operations.append(.move(file: file, from: relative(source), to: relative(target)))
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
