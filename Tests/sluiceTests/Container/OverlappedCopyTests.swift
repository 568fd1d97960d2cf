import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// The kernel copies a large file as far as it can, and the hash is that of the staged copy.
@Suite struct OverlappedCopyTests {
    private let folder: TestFolder
    private let bytes: [UInt8]

    init() throws {
        folder = try TestFolder()
        var generator = SeededGenerator(seed: 4)
        bytes = generator.bytes(9_000_001)
        try folder.write("source", bytes)
    }

    /// A deviation of the kernel's copy call.
    enum Trick: CaseIterable {
        case none, cannotAtAll, cannotGoOn, saysEndAtOnce, saysEndTooEarly, copiesLittle
    }

    @Test(arguments: Trick.allCases)
    func allBytesAreStagedDespiteTheSystemsCopyCall(_ trick: Trick) throws {
        let (object, kept, _) = try take(TrickyFileSystem(trick: trick), first: 0)
        #expect(object.digest == Digest(of: bytes))
        #expect(object.size == Int64(bytes.count))
        #expect(kept == bytes)
    }

    @Test func bytesThatWereAlreadyReadComeFirst() throws {
        #expect(try take(SystemFileSystem(), first: 70_000).object.digest == Digest(of: bytes))
    }

    @Test func theCallerIsInformedOfEveryByteAndMayCancel() throws {
        #expect(try take(SystemFileSystem(), first: 5).told == bytes.count)
        #expect(throws: CancellationError.self) {
            try take(SystemFileSystem(), first: 0) { throw CancellationError() }
        }
    }

    /// An ancestor took a read error for the end of the file and accepted a truncated import.
    @Test func aReadErrorIsNotTheEnd() throws {
        #expect(throws: Errno.self) {
            try take(TrickyFileSystem(trick: .cannotGoOn), first: 0) { throw Errno.ioError }
        }
    }

    private func take(
        _ fileSystem: any FileSystem, first: Int, _ interrupt: (() throws -> Void)? = nil
    ) throws -> (object: StagedObject, kept: [UInt8], told: Int) {
        let store = LocalObjectStore(
            layout: ContainerLayout(root: folder.path), fileSystem: fileSystem, reserve: .none)
        for name in ["tmp", "objects"] { try SystemFileSystem().ensureFolders(folder[name]) }
        let area = try store.makeStagingArea()
        let source = try FileDescriptor.open(folder["source"], .readOnly)
        return try source.closeAfter {
            try source.seek(offset: Int64(first), from: .start)
            var told = 0
            let object = try bytes.prefix(first).withUnsafeBytes { prefix in
                try area.makeFile(expecting: Int64(bytes.count)).take(source, after: prefix) { buffer in
                    try interrupt?()
                    return try source.read(into: buffer)
                } _: { count in
                    told += count
                    if let interrupt, !(fileSystem is TrickyFileSystem) { try interrupt() }
                }
            }
            // The staged file disappears with its area.
            let staged = try #require(object.place as? LocalStagedFile)
            return (object, try withExtendedLifetime(area) { try Disk.bytes(staged.path) }, told)
        }
    }
}

/// The real file system, with a copy call that deviates.
private struct TrickyFileSystem: FileSystem {
    let trick: OverlappedCopyTests.Trick
    private let system = SystemFileSystem()

    init(trick: OverlappedCopyTests.Trick) { self.trick = trick }

    func copy(_ count: Int, from source: FileDescriptor, to target: FileDescriptor, _ path: FilePath)
        throws(FileError) -> Int?
    {
        let isFirst = (try? target.seek(offset: 0, from: .current)) == 0
        switch trick {
        case .none: return try system.copy(count, from: source, to: target, path)
        case .cannotAtAll: return nil
        case .cannotGoOn: return isFirst ? try system.copy(count, from: source, to: target, path) : nil
        case .saysEndAtOnce: return 0
        case .saysEndTooEarly: return isFirst ? try system.copy(count, from: source, to: target, path) : 0
        case .copiesLittle: return try system.copy(min(count, 100_001), from: source, to: target, path)
        }
    }

    func read(_ file: FileDescriptor, _ path: FilePath, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try system.read(file, path, at: offset, into: buffer) }
    func open(
        _ path: FilePath, _ access: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
        mode: FilePermissions
    ) throws(FileError) -> FileDescriptor { try system.open(path, access, options, mode: mode) }
    func read(_ file: FileDescriptor, _ path: FilePath, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileError) -> Int
    { try system.read(file, path, into: buffer) }
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: FilePath) throws(FileError) -> Int {
        try system.write(bytes, to: file, path)
    }
    func link(_ path: FilePath, to destination: FilePath) throws(FileError) -> Bool {
        try system.link(path, to: destination)
    }
    func destination(of path: FilePath) throws(FileError) -> FilePath? { try system.destination(of: path) }
    func move(_ source: FilePath, to target: FilePath) throws(FileError) { try system.move(source, to: target) }
    func moveIfFree(_ source: FilePath, to target: FilePath) throws(FileError) -> Bool {
        try system.moveIfFree(source, to: target)
    }
    func makeFolder(_ path: FilePath) throws(FileError) -> Bool { try system.makeFolder(path) }
    func remove(_ path: FilePath, isFolder: Bool) throws(FileError) {
        try system.remove(path, isFolder: isFolder)
    }
    func setMode(_ mode: FilePermissions, of path: FilePath) throws(FileError) {
        try system.setMode(mode, of: path)
    }
    func sync(_ file: FileDescriptor, _ path: FilePath) throws(FileError) { try system.sync(file, path) }
    func syncAll(_ file: FileDescriptor, _ path: FilePath) throws(FileError) { try system.syncAll(file, path) }
    func names(in path: FilePath) throws(FileError) -> [FilePath.Component] { try system.names(in: path) }
    func status(of path: FilePath) throws(FileError) -> FileStatus? { try system.status(of: path) }
    func identity(of path: FilePath) throws(FileError) -> String? { try system.identity(of: path) }
}
