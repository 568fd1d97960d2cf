import Dispatch
import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

@Suite struct ContainerTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }

    init() throws { folder = try TestFolder() }

    /// With NORMAL a power cut could undo a commit.
    @Test func commitsSurviveAPowerCut() throws {
        let database = try CatalogDatabase(writing: folder["catalog.sqlite"], isNew: true)
        #expect(try database.writerPragma("synchronous") == 2)
        // The log exists only in write-ahead mode, and only while the database is open.
        #expect(Disk.names(in: folder.path).contains("catalog.sqlite-wal"))
    }

    @Test(arguments: [nil, 0o755, 0o777])
    func isClosedToOtherUsers(_ mode: Int?) throws {
        if let mode {
            try FileManager.default.createDirectory(atPath: root.string, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: root.string)
        }
        _ = try Container.open(at: root)
        #expect(try Disk.mode(root) == 0o700)
        for name in ["objects", "tmp", "work", "run"] {
            #expect(try Disk.mode(root.appending(name)) == 0o700, "\(name)")
        }
    }

    @Test func refusesWhatIsNoContainer() throws {
        try folder.write("container/letter.txt", "mine")
        let end = try Program(container: root).run(["ingest", "-"], input: "{}")
        #expect(end.status == 2)
        #expect(end.errors.contains("--container"))
        #expect(Disk.files(below: root) == ["letter.txt"])
    }

    /// A place where no container can be has a remedy, and not only the system's reason.
    @Test(arguments: [("letter.txt", "is a file"), ("letter.txt/container", "Not a directory")])
    func refusesAPlaceInAFile(_ place: String, _ why: String) throws {
        let letter = try folder.write("letter.txt", "mine")
        let end = try Program(container: folder[place]).run(["ingest", letter.string])
        #expect(end.status == 2 && end.errors.contains(why), "\(end.errors)")
        #expect(end.errors.contains("; name a new or empty folder with --container"), "\(end.errors)")
    }

    @Test func aReadOnlyDiskHasItsOwnRemedy() {
        #expect(FileError(.readOnlyFileSystem, "opening", "/c").remedy == .nameWritableDisk)
        #expect(FileError(.permissionDenied, "opening", "/c").remedy == .nameOwnFolder)
    }

    @Test(arguments: [["ingest", "-"], ["list"], ["deliver"], ["show", "0"]])
    func refusesANewerFormat(_ command: [String]) throws {
        _ = try Container.open(at: root)
        try folder.write(
            "container/format",
            #"{"format":"sluice-container","version":\#(ContainerLayout.version + 1),"group":"group.sluice.default"}"#)
        let end = try Program(container: root).run(command, input: "{}")
        #expect(end.status == 2)
        #expect(end.errors.contains("update"))
    }

    @Test(arguments: ["", "{}", #"{"format":"something-else","version":1,"group":"g"}"#])
    func refusesABrokenFormatFile(_ text: String) throws {
        try folder.write("container/format", text)
        #expect {
            _ = try Container.open(at: root)
        } throws: {
            ($0 as? ContainerError)?.code == .notAContainer
        }
    }

    @Test func sweepsTheDeadAlone() throws {
        let container = try Container.open(at: root)
        do {
            let living = try container.objects.makeStagingArea()
            let unfinished = try living.makeFile()
            let before = Disk.files(below: root.appending("tmp"))
            #expect(before.count == 1)
            try folder.write("container/tmp/999999-1/1", "left by the dead")
            _ = try Container.open(at: root)
            #expect(Disk.files(below: root.appending("tmp")) == before)
            withExtendedLifetime((living, unfinished)) {}
        }
        #expect(Disk.names(in: root.appending("tmp")).isEmpty)
    }

    /// A sweep can meet a folder between its creation and its locking.
    @Test func writersBeginWhileOthersSweep() throws {
        let objects = try Container.open(at: root).objects
        let staging = root.appending("tmp")
        let writing = Atomic(true)
        // Both block, so they need their own threads instead of the shared pool.
        DispatchQueue.concurrentPerform(iterations: 2) { place in
            do {
                if place == 0 {
                    defer { writing.store(false, ordering: .relaxed) }
                    for _ in 0..<3_000 { _ = try objects.makeStagingArea() }
                } else {
                    while writing.load(ordering: .relaxed) { try WriterFolder.sweep(staging, SystemFileSystem()) }
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(Disk.names(in: staging).isEmpty)
    }
}

@Suite struct KernelLockTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func isHeldOnceAndFreedWithItsValue() throws {
        do {
            let lock = try KernelLock(folder: folder.path, SystemFileSystem())
            if try KernelLock(folder: folder.path, SystemFileSystem()) != nil {
                Issue.record("the lock was taken twice")
            }
            #expect(try Self.isHeld(folder.path))
            _ = consume lock
        }
        #expect(try !Self.isHeld(folder.path))
    }

    /// An inner use shares the outer lock or takes its own. In both cases its end must leave the outer lock held.
    @Test(arguments: [true, false])
    func innerReleaseLeavesTheOuterHeld(_ isSame: Bool) throws {
        let container = try Container.open(at: folder["container"])
        let path = folder["container/run/objects.lock"]
        let outer = try container.lock(.objects, .shared)
        do {
            let inner = try isSame ? outer : container.lock(.objects, .shared)
            _ = consume inner
        }
        #expect(try Self.isHeld(path))
        _ = consume outer
        #expect(try !Self.isHeld(path))
    }

    private static let attempt =
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)"

    /// Whether another process fails to take the lock exclusively.
    private static func isHeld(_ path: FilePath) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", attempt, path.string]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus != 0
    }
}
