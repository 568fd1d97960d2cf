import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// A scratch area hashes content, lets the caller look into it, and leaves no file.
@Suite struct ScratchAreaTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    private static let text = String(repeating: "Rivers run. ", count: 40_000)

    @Test func contentInMemoryIsNotWritten() throws {
        let digest = Digest(of: "one")
        let object = Array("one".utf8).withUnsafeBytes {
            ScratchArea(in: folder.path, fileSystem: SystemFileSystem()).stage($0, digest: digest)
        }
        #expect(object.digest == digest && object.size == 3)
        object.discard()
        #expect(Disk.names(in: folder.path).isEmpty)
    }

    /// The name is gone while the file is written, so a process that is killed leaves nothing.
    @Test func aTemporaryFileHasNoName() throws {
        let file = ScratchArea(in: folder.path, fileSystem: SystemFileSystem()).makeFile(expecting: 0)
        for _ in 0..<2 { try Array(Self.text.utf8).withUnsafeBytes { try file.append($0) } }
        #expect(Disk.names(in: folder.path).isEmpty)
        let object = file.finish()
        #expect(object.digest == Digest(of: Self.text + Self.text))
        #expect(object.size == file.size && file.size == Int64(2 * Self.text.utf8.count))
        #expect(try bytes(of: file) == Array((Self.text + Self.text).utf8))
    }

    @Test func aFileIsHashedWhereItIs() throws {
        let path = try folder.write("in.txt", Self.text)
        let source = try FileDescriptor.open(path, .readOnly)
        defer { try? source.close() }
        let file = ScratchArea(in: folder["none"], fileSystem: SystemFileSystem()).makeFile(expecting: 0)
        var first = [UInt8](repeating: 0, count: 1_000)
        let count = try first.withUnsafeMutableBytes { try source.read(into: $0) }
        var seen = 0
        let object = try first.withUnsafeBytes { bytes in
            try file.take(source, after: UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
                try source.read(into: $0)
            } _: {
                seen += $0
            }
        }
        #expect(object.digest == Digest(of: Self.text))
        #expect(seen == Self.text.utf8.count && object.size == Int64(seen))
        #expect(try bytes(of: file) == Array(Self.text.utf8))
    }

    @Test func aFullDiskIsReported() throws {
        var disk = HookedFileSystem()
        disk.freeSpace = { FreeSpace(bytes: ScratchFile.reserve, files: 9_000) }
        let file = ScratchArea(in: folder.path, fileSystem: disk).makeFile(expecting: 0)
        let error = try #require(throws: ContainerError.self) {
            try Array("one".utf8).withUnsafeBytes { try file.append($0) }
        }
        #expect(error.code == .full && error.message.contains(folder.path.string))
    }

    private func bytes(of file: any StagingFile) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: Int(file.size) + 1) { buffer, count in
            count = try file.descriptor.read(
                fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: true)
        }
    }
}
