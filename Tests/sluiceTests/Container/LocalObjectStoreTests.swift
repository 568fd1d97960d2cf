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

    /// A sink that runs as another user reads objects too. The mask belongs to the process, so another one sets it.
    @Test func aStrictMaskDoesNotHideObjects() throws {
        var program = Program(container: folder["masked"])
        program.executable = try folder.write(
            "strict", "#!/bin/sh\numask 077\nexec '\(Program.folder.path)/sluice' \"$@\"\n", mode: 0o755)
        let end = try program.ingest(folder.write("in/letter.txt", "words"), options: ["--no-deliver"])
        #expect(end.status == 0, "\(end)")
        #expect(try Disk.mode(folder["masked"].object(of: "words")) == 0o444)
    }

    /// The next objects overwrite the file of a discarded one. Until then it must take no room from them.
    @Test func aDiscardedObjectTakesNoRoom() throws {
        let area = try container.objects.makeStagingArea()
        let bytes = [UInt8](repeating: 1, count: 100_000)
        try area.stage(bytes).discard()
        func unfinished() throws { try bytes.withUnsafeBytes { try area.makeFile().append($0) } }
        try unfinished()
        let files = Disk.files(below: folder["container/tmp"])
        #expect(files.count == 1, "the second object overwrites the first one")
        for file in files { #expect(try Disk.bytes(folder["container/tmp"].appending(file)).isEmpty) }
        let next = try area.stage(Array("abc".utf8))
        try container.objects.commit([next])
        #expect(try Disk.bytes(container.layout.object(next.digest)) == Array("abc".utf8))
        #expect(try Disk.mode(container.layout.object(next.digest)) == 0o444)
    }

    /// Under a strict mask too. Its owner cannot write the file, unless the owner is root.
    @Test func aMaskedFileIsReused() throws {
        var fileSystem = HookedFileSystem()
        fileSystem.mask = [.groupRead, .otherRead]
        fileSystem.beforeWriting = { path throws(FileError) in
            guard let mode = try? Disk.mode(path), mode & 0o200 == 0 else { return }
            throw FileError(.permissionDenied, "opening", path)
        }
        let objects = try Container.open(at: folder["masked"], fileSystem: fileSystem).objects
        let area = try objects.makeStagingArea()
        try area.stage(Array("first".utf8)).discard()
        let files = Disk.files(below: folder["masked/tmp"])
        #expect(files.count == 1)
        let next = try area.stage(Array("abc".utf8))
        #expect(Disk.files(below: folder["masked/tmp"]) == files)
        try objects.commit([next])
        #expect(try Disk.mode(folder["masked"].object(of: "abc")) == 0o444)
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

    @Test func aFolderWithAnObjectsNameIsNamedWithTheRemedy() throws {
        let bytes = Array("whole".utf8)
        let object = container.layout.object(Digest(of: bytes))
        try folder.write(
            "container/objects/\(object.components.suffix(2).map(\.string).joined(separator: "/"))/mine", "")
        let area = try container.objects.makeStagingArea()
        let error = try #require(throws: ContainerError.self) { try container.objects.commit([area.stage(bytes)]) }
        #expect(error.message.contains("\(object) is a folder") && error.message.contains("move the folder out"))
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
