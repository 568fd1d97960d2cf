import SystemPackage

@testable import GroupContainer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The real file system, with a record of what changes the disk.
struct RecordingFileSystem: FileSystem {
    let log: OperationLog
    private let disk = SystemFileSystem()

    init(_ log: OperationLog) { self.log = log }

    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(ContainerError) -> FileDescriptor {
        try log.record { state throws(ContainerError) in
            let isNew = try disk.status(of: path) == nil
            let descriptor = try disk.open(path, access, options, mode: mode)
            let file = isNew ? state.create(path) : state.file(path)
            if options.contains(.truncate), let file { state.operations.append(.truncate(file: file, size: 0)) }
            state.opened[descriptor.rawValue] = file
            return descriptor
        }
    }

    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int
    { try disk.read(file, path, into: buffer) }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(ContainerError)
        -> Int
    {
        try log.record { state throws(ContainerError) in
            let offset = lseek(file.rawValue, 0, SEEK_CUR)
            let count = try disk.write(bytes, to: file, path)
            let written = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            state.write(state.opened[file.rawValue], at: Int(offset), written)
            return count
        }
    }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(ContainerError) -> Int
    { try disk.read(file, path, at: offset, into: buffer) }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(ContainerError) -> Int?
    {
        try log.record { state throws(ContainerError) in
            let offset = Int64(lseek(target.rawValue, 0, SEEK_CUR))
            guard let count = try disk.copy(count, from: source, to: target, path) else { return nil }
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            defer { bytes.deallocate() }
            _ = try disk.read(target, path, at: offset, into: bytes)
            state.write(state.opened[target.rawValue], at: Int(offset), UnsafeRawBufferPointer(bytes))
            return count
        }
    }

    func move(_ source: FilePath, to target: FilePath) throws(ContainerError) {
        try log.record { state throws(ContainerError) in
            try disk.move(source, to: target)
            state.move(source, to: target)
        }
    }

    func moveIfFree(_ source: FilePath, to target: FilePath) throws(ContainerError) -> Bool {
        try log.record { state throws(ContainerError) in
            guard try disk.moveIfFree(source, to: target) else { return false }
            state.move(source, to: target)
            return true
        }
    }

    func makeFolder(_ path: FilePath) throws(ContainerError) -> Bool {
        try log.record { state throws(ContainerError) in
            let isNew = try disk.makeFolder(path)
            if isNew { state.operations.append(.makeFolder(state.relative(path))) }
            return isNew
        }
    }

    func remove(_ path: FilePath, isFolder: Bool) throws(ContainerError) {
        try log.record { state throws(ContainerError) in
            guard try disk.status(of: path) != nil else { return }
            try disk.remove(path, isFolder: isFolder)
            state.remove(path)
        }
    }

    func setMode(_ mode: FilePermissions, of path: FilePath) throws(ContainerError) {
        try disk.setMode(mode, of: path)
    }

    func sync(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError) {
        try log.record { state throws(ContainerError) in
            try disk.sync(file, path)
            let isFolder = try disk.status(of: path)?.kind == .folder
            if isFolder {
                state.operations.append(.syncFolder(state.relative(path)))
            } else if let number = state.opened[file.rawValue] {
                state.operations.append(.syncFile(number))
            }
        }
    }

    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(ContainerError) {
        // The test's disk keeps what it is given: only the record has to say what would be durable.
        log.record { state in if state.omission != .syncAll { state.operations.append(.syncAll) } }
    }

    func names(in path: FilePath) throws(ContainerError) -> [FilePath.Component] { try disk.names(in: path) }

    func status(of path: FilePath) throws(ContainerError) -> FileStatus? { try disk.status(of: path) }
}
