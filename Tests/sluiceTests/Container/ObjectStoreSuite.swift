// Not `@testable`, because a store in another module must be able to keep this contract.
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// The contract of an object store. One call tests an engine.
func checkObjectStore(_ store: any ObjectStore) throws {
    let bytes = Array("the same river twice".utf8)
    let digest = Digest(of: bytes)
    #expect(try store.size(digest) == nil)
    #expect {
        _ = try store.open(digest)
    } throws: {
        ($0 as? ContainerError)?.code == .notFound
    }

    let area = try store.makeStagingArea()
    try area.stage(bytes).discard()
    #expect(try store.size(digest) == nil, "a staged object is not committed")

    let staged = try [area.stage(bytes), area.stage(bytes), area.stage([])]
    #expect(staged.map(\.size) == [20, 20, 0])
    #expect(staged[0].digest == digest)
    try store.commit(staged)
    #expect(try store.size(digest) == 20)
    #expect(try store.contents(of: digest) == bytes)
    #expect(try store.size(Digest(of: [UInt8]())) == 0)

    try checkStaging(store, bytes)
    if let path = store.localPath(of: digest) {
        let file = try FileDescriptor.open(path, .readOnly)
        #expect(try file.closeAfter { try readAll(file) } == bytes, "a local path leads to the object's bytes")
    }

    try store.commit([area.stage(bytes)])
    try store.commit([])
    #expect(try store.contents(of: digest) == bytes, "committing it again changes nothing")

    var asked: [Set<Digest>] = []
    try store.commit([area.stage(bytes), area.stage([7])]) { digests in
        asked.append(digests)
        return digests
    }
    // A store may also ask about a free name, where it cannot look at a name and take it in one step.
    #expect(asked.count == 1 && asked[0].contains(digest))
    #expect(try store.contents(of: digest) == bytes)
    #expect(try store.size(Digest(of: [7])) == 1)

    // Content that needs no room is named, and not staged.
    let stored = StagedObject(digest: digest, size: 20, place: StoredPlace())
    try store.commit([stored, area.stage([9])]) { $0 }
    #expect(try store.contents(of: digest) == bytes && store.size(Digest(of: [9])) == 1)
    try store.commit([area.stage([10]), StagedObject(digest: Digest(of: [10]), size: 1, place: StoredPlace())])
    #expect(throws: ContainerError.self, "no row vouches for it") { try store.commit([stored]) }
    #expect(throws: ContainerError.self, "it is not there") {
        try store.commit([StagedObject(digest: Digest(of: [11]), size: 1, place: StoredPlace())]) { $0 }
    }

    var abandoned: (any StagingArea)? = try store.makeStagingArea()
    _ = try abandoned?.stage([8])
    abandoned = nil
    #expect(try store.size(Digest(of: [8])) == nil, "it went with its area")
}

/// A staged object replaces the object with its name unless a caller vouches for that.
///
/// - Parameter tear: leaves only a part of the object's bytes under its name.
func checkReplacement(_ store: any ObjectStore, tear: (Digest) throws -> Void) throws {
    let area = try store.makeStagingArea()
    let bytes = Array("whole".utf8)
    let digest = Digest(of: bytes)
    try store.commit([area.stage(bytes)])
    try tear(digest)
    #expect(try store.contents(of: digest) != bytes)
    try store.commit([area.stage(bytes)])
    #expect(try store.contents(of: digest) == bytes)
    #expect(try store.size(digest) == Int64(bytes.count))
}

/// Content that is at hand as a whole is staged in one call, and staged bytes can be read before the commit.
private func checkStaging(_ store: any ObjectStore, _ bytes: [UInt8]) throws {
    let area = try store.makeStagingArea()
    let reversed = Array(bytes.reversed())
    let digest = Digest(of: reversed)
    let object = try reversed.withUnsafeBytes { try area.stage($0, digest: digest) }
    #expect(object.digest == digest && object.size == Int64(bytes.count))
    try store.commit([object])
    #expect(try store.contents(of: digest) == reversed)

    let file = try area.makeFile(expecting: Int64(bytes.count))
    try bytes.withUnsafeBytes { try file.append($0) }
    #expect(file.size == Int64(bytes.count))
    try file.descriptor.seek(offset: 0, from: .start)
    #expect(try readAll(file.descriptor) == bytes)
    file.finish().discard()
}

/// A copied source has the digest of its staged bytes, including the bytes that were read before the copy.
func checkTaking(_ store: any ObjectStore, from source: FileDescriptor, bytes: [UInt8]) throws {
    let area = try store.makeStagingArea()
    let file = try area.makeFile(expecting: Int64(bytes.count))
    try source.seek(offset: 5, from: .start)
    var told = 0
    let object = try bytes.prefix(5).withUnsafeBytes { first in
        try file.take(source, after: first) {
            try source.read(into: $0)
        } _: {
            told += $0
        }
    }
    #expect(object.digest == Digest(of: bytes))
    #expect(object.size == Int64(bytes.count))
    #expect(told == bytes.count)
    #expect(try source.seek(offset: 0, from: .current) == Int64(bytes.count))
    try store.commit([object])
    #expect(try store.contents(of: object.digest) == bytes)

    try source.seek(offset: 0, from: .start)
    let stopped = try area.makeFile()
    #expect(throws: CancellationError.self, "an error of the body ends the copy") {
        try [UInt8]().withUnsafeBytes { first in
            try stopped.take(source, after: first) {
                try source.read(into: $0)
            } _: { _ in
                throw CancellationError()
            }
        }
    }
}

extension StagingArea {
    /// Stages the bytes in pieces, as a reader does.
    func stage(_ bytes: [UInt8]) throws -> StagedObject {
        let file = try makeFile()
        for start in stride(from: 0, to: bytes.count, by: 7) {
            try bytes[start..<min(start + 7, bytes.count)].withUnsafeBytes { try file.append($0) }
        }
        return file.finish()
    }
}

extension ObjectStore {
    fileprivate func contents(of digest: Digest) throws -> [UInt8] {
        let file = try open(digest)
        defer { try? file.close() }
        return try readAll(file)
    }
}

/// What a short file holds from its position on.
private func readAll(_ file: FileDescriptor) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
}
