import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

@Suite struct LocalObjectStoreTests {
    private let folder: TestFolder
    private let container: Container

    init() throws {
        folder = try TestFolder()
        container = try Container.open(at: folder["container"])
    }

    @Test func keepsTheContract() throws { try checkObjectStore(container.objects) }

    @Test func replacesTornObjects() throws {
        try checkReplacement(container.objects) { try Damage.shortened.strike(container.layout.object($0)) }
    }

    @Test func takesASource() throws {
        let source = try FileDescriptor.open(folder.write("source", "taken in two pieces"), .readOnly)
        try source.closeAfter {
            try checkTaking(container.objects, from: source, bytes: Array("taken in two pieces".utf8))
        }
    }

    @Test func namesReadOnlyFilesByTheirDigest() throws {
        let area = try container.objects.makeStagingArea()
        try container.objects.commit([area.stage(Array("abc".utf8))])
        // FIPS 180-2, appendix B.1.
        let name = "ba/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Disk.files(below: folder["container/objects"]) == [name])
        #expect(try Disk.mode(folder["container/objects/\(name)"]) == 0o444)
    }

    /// A file at a final name proves nothing, because a crash may have cut it short.
    @Test func replacesWhatNoRowVouchesFor() throws {
        let bytes = Array("whole".utf8)
        let digest = Digest(of: bytes)
        try folder.write("container/objects/\(digest.description.prefix(2))/\(digest)", "torn", mode: 0o444)
        let area = try container.objects.makeStagingArea()
        try container.objects.commit([area.stage(bytes)])
        #expect(try Disk.bytes(container.layout.object(digest)) == bytes)
    }

    /// An object that a row vouches for stays, unless its file has another size than the row states.
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
        try checkObjectStore(Container.open(at: folder["other"], fileSystem: fileSystem).objects)
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
