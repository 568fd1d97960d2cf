import SystemPackage

@testable import Files
@testable import GroupContainer

/// A file system, by default the real one, whose operations fail as a schedule says.
struct FaultyFileSystem: FileSystem {
    let schedule: FaultSchedule
    private let disk: any FileSystem

    init(_ schedule: FaultSchedule, over disk: any FileSystem = SystemFileSystem()) {
        self.schedule = schedule
        self.disk = disk
    }

    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor {
        try check(options.contains(.create) ? .name : .look, "opening", path)
        return try disk.open(path, access, options, mode: mode)
    }

    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    {
        try check(.look, "reading", path)
        return try disk.read(file, path, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError)
        -> Int
    {
        let isShort = try check(.write, "writing", path)
        let count = isShort ? (bytes.count + 1) / 2 : bytes.count
        return try disk.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: file, path)
    }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    {
        try check(.look, "reading", path)
        return try disk.read(file, path, at: offset, into: buffer)
    }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    {
        let isShort = try check(.write, "copying to", path)
        return try disk.copy(isShort ? (count + 1) / 2 : count, from: source, to: target, path)
    }

    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool {
        try check(.name, "linking", path)
        return try disk.link(path, to: destination)
    }

    func destination(of path: FilePath) throws(FileError) -> FilePath? {
        try check(.look, "looking at", path)
        return try disk.destination(of: path)
    }

    func clone(_ source: FileDescriptor, to target: FileDescriptor, _ path: FilePath) throws(FileError) -> Bool {
        try check(.write, "writing", path)
        return try disk.clone(source, to: target, path)
    }

    func hardLink(_ path: FilePath, as name: FilePath) throws(FileError) -> Bool {
        try check(.name, "linking", name)
        return try disk.hardLink(path, as: name)
    }

    func freeSpace(at path: FilePath) throws(FileError) -> FreeSpace? {
        try check(.look, "looking at", path)
        return try disk.freeSpace(at: path)
    }

    func move(_ source: FilePath, to target: FilePath) throws(FileError) {
        try check(.name, "moving into place", target)
        try disk.move(source, to: target)
    }

    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool {
        try check(.name, "moving into place", target)
        return try disk.moveIfFree(source, to: target)
    }

    func makeFolder(_ path: FilePath) throws(FileError) -> Bool {
        try check(.name, "making", path)
        return try disk.makeFolder(path)
    }

    func remove(_ path: FilePath, isFolder: Bool) throws(FileError) {
        try check(.change, "removing", path)
        try disk.remove(path, isFolder: isFolder)
    }

    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError) {
        try check(.change, "changing the permissions of", path)
        try disk.setMode(mode, of: path)
    }

    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        try check(.change, "syncing", path)
        try disk.sync(file, path)
    }

    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError) {
        // The test's disk needs no sync, and a sync would slow down the whole machine.
        try check(.change, "syncing", path)
    }

    func names(in path: FilePath) throws(FileError) -> [FilePath.Component] {
        try check(.look, "listing", path)
        return try disk.names(in: path)
    }

    func status(of path: FilePath) throws(FileError) -> FileStatus? {
        try check(.look, "looking at", path)
        return try disk.status(of: path)
    }

    func identity(of path: FilePath) throws(FileError) -> String? {
        try check(.look, "looking at", path)
        return try disk.identity(of: path)
    }

    /// Throws if the operation must fail.
    ///
    /// - Returns: whether to do only half of the operation.
    @discardableResult
    private func check(_ kind: FaultSchedule.Kind, _ doing: String, _ path: FilePath) throws(FileError) -> Bool {
        switch schedule.verdict(on: kind) {
        case .proceed: return false
        case .half: return true
        case .fail(let number): throw FileError(number, doing, path)
        }
    }
}
