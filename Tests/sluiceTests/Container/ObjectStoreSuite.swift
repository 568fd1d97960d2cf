import ShareModel
import SystemPackage
import Testing

@testable import GroupContainer

/// What every object store must keep; a new one is tested by one call.
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
    #expect(try store.size(digest) == nil, "staged is not committed")

    let staged = try [area.stage(bytes), area.stage(bytes), area.stage([])]
    #expect(staged.map(\.size) == [20, 20, 0])
    #expect(staged[0].digest == digest)
    try store.commit(staged)
    #expect(try store.size(digest) == 20)
    #expect(try store.contents(of: digest) == bytes)
    #expect(try store.size(Digest(of: [UInt8]())) == 0)

    try store.commit([area.stage(bytes)])
    try store.commit([])
    #expect(try store.contents(of: digest) == bytes, "committed again")

    var asked: [Set<Digest>] = []
    try store.commit([area.stage(bytes), area.stage([7])]) { digests in
        asked.append(digests)
        return digests
    }
    #expect(asked.count == 1 && asked[0].contains(digest))
    #expect(try store.contents(of: digest) == bytes)
    #expect(try store.size(Digest(of: [7])) == 1)
}

extension StagingArea {
    /// Stages bytes in pieces, as a reader would.
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
        return try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

@Suite struct LocalObjectStoreTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container(opening: folder["container"])
    }

    @Test func keepsTheContract() throws { try checkObjectStore(container.objects) }

    @Test func namesReadOnlyFilesByTheirDigest() throws {
        let area = try container.objects.makeStagingArea()
        try container.objects.commit([area.stage(Array("abc".utf8))])
        // FIPS 180-2, appendix B.1.
        let name = "ba/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Disk.files(below: folder["container/objects"]) == [name])
        #expect(try Disk.mode(folder["container/objects/\(name)"]) == 0o444)
    }

    /// Bytes at a final name prove nothing: a crash can leave them half written.
    @Test func replacesWhatNoRowVouchesFor() throws {
        let bytes = Array("whole".utf8)
        let digest = Digest(of: bytes)
        try folder.write("container/objects/\(digest.description.prefix(2))/\(digest)", "torn", mode: 0o444)
        let area = try container.objects.makeStagingArea()
        try container.objects.commit([area.stage(bytes)])
        #expect(try Disk.bytes(container.layout.object(digest)) == bytes)
    }

    /// What a row vouches for stays, unless its file shows that it is not what the row says.
    @Test func whatIsVouchedForIsKeptWhereItHasItsSize() throws {
        let bytes = Array("whole".utf8)
        let object = container.layout.object(Digest(of: bytes))
        let area = try container.objects.makeStagingArea()
        try container.objects.commit([area.stage(bytes)])
        let before = try Disk.stamp(object)
        try container.objects.commit([area.stage(bytes)]) { $0 }
        #expect(try Disk.stamp(object) == before)
        try Damage.shortened.strike(object)
        try container.objects.commit([area.stage(bytes)]) { $0 }
        #expect(try Disk.bytes(object) == bytes)
        #expect(try Disk.mode(object) == 0o444)
    }

    @Test func keepsTheContractWhereNamesCannotBeAskedAndTakenAtOnce() throws {
        var fileSystem = HookedFileSystem()
        fileSystem.canMoveIfFree = false
        try checkObjectStore(Container(opening: folder["other"], fileSystem: fileSystem).objects)
    }

    @Test func unfinishedFilesVanish() throws {
        do {
            let area = try container.objects.makeStagingArea()
            let file = try area.makeFile()
            try [1, 2, 3].withUnsafeBytes { try file.append($0) }
            #expect(Disk.files(below: folder["container/tmp"]).count == 1)
        }
        #expect(Disk.names(in: folder["container/tmp"]).isEmpty)
    }
}
