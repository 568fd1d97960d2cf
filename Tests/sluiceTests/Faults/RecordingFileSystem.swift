import Glibc
import SystemPackage

@testable import Files
@testable import GroupContainer

/// The real file system, which records every change of the disk.
struct RecordingFileSystem: FileSystem {
    let log: OperationLog
    private let disk = SystemFileSystem()

    init(_ log: OperationLog) { self.log = log }

    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor {
        try log.record { state throws(FileError) in
            let isNew = try disk.status(of: path) == nil
            let descriptor = try disk.open(path, access, options, mode: mode)
            let file = isNew ? state.create(path) : state.file(path)
            if options.contains(.truncate), let file { state.operations.append(.truncate(file: file, size: 0)) }
            state.opened[descriptor.rawValue] = file
            return descriptor
        }
    }

    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try disk.read(file, path, into: buffer) }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Int
    {
        try log.record { state throws(FileError) in
            let offset = lseek(file.rawValue, 0, SEEK_CUR)
            let count = try disk.write(bytes, to: file, path)
            let written = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            state.write(state.opened[file.rawValue], at: Int(offset), written)
            return count
        }
    }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try disk.read(file, path, at: offset, into: buffer) }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    {
        try log.record { state throws(FileError) in
            let offset = Int64(lseek(target.rawValue, 0, SEEK_CUR))
            guard let count = try disk.copy(count, from: source, to: target, path) else { return nil }
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            defer { bytes.deallocate() }
            _ = try disk.read(target, path, at: offset, into: bytes)
            state.write(state.opened[target.rawValue], at: Int(offset), UnsafeRawBufferPointer(bytes))
            return count
        }
    }

    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool {
        try log.record { state throws(FileError) in
            guard try disk.link(path, to: destination) else { return false }
            state.link(path, to: destination.string)
            return true
        }
    }

    func destination(of path: FilePath) throws(FileError) -> FilePath? { try disk.destination(of: path) }

    func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError) -> Bool {
        try log.record { state throws(FileError) in
            guard try disk.clone(source, to: target, path) else { return false }
            let size = Int(try disk.status(of: path)?.size ?? 0)
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            defer { bytes.deallocate() }
            // The clone is open for writing alone, and its bytes are those of the source.
            _ = try disk.read(source, path, at: 0, into: bytes)
            state.write(state.opened[target.rawValue], at: 0, UnsafeRawBufferPointer(bytes))
            return true
        }
    }

    func move(_ source: FilePath, to target: FilePath) throws(FileError) {
        try log.record { state throws(FileError) in
            try disk.move(source, to: target)
            state.move(source, to: target)
        }
    }

    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool {
        try log.record { state throws(FileError) in
            guard try disk.moveIfFree(source, to: target) else { return false }
            state.move(source, to: target)
            return true
        }
    }

    func makeFolder(_ path: FilePath) throws(FileError) -> Bool {
        try log.record { state throws(FileError) in
            let isNew = try disk.makeFolder(path)
            if isNew { state.operations.append(.makeFolder(state.relative(path))) }
            return isNew
        }
    }

    func remove(_ path: FilePath, isFolder: Bool) throws(FileError) {
        try log.record { state throws(FileError) in
            guard try disk.status(of: path) != nil else { return }
            try disk.remove(path, isFolder: isFolder)
            state.remove(path)
        }
    }

    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError) {
        try disk.setMode(mode, of: path)
    }

    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        try log.record { state throws(FileError) in
            try disk.sync(file, path)
            let isFolder = try disk.status(of: path)?.kind == .folder
            guard state.omission != (isFolder ? .folders : .files) else { return }
            if isFolder {
                state.operations.append(.syncFolder(state.relative(path)))
            } else if let number = state.opened[file.rawValue] {
                state.operations.append(.syncFile(number))
            }
        }
    }

    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        // The test's disk needs no sync. The record alone shows what would be durable.
        log.record { state in if state.omission != .syncAll { state.operations.append(.syncAll) } }
    }

    func names(in path: FilePath) throws(FileError) -> [FilePath.Component] { try disk.names(in: path) }

    func status(of path: FilePath) throws(FileError) -> FileStatus? { try disk.status(of: path) }

    func identity(of path: FilePath) throws(FileError) -> String? { try disk.identity(of: path) }
}
