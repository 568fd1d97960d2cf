import Foundation
import ShareModel
import Synchronization
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files
@testable import GroupContainer

/// `sluice backup` makes a container of one state of another, which is in use.
@Suite struct BackupTests {
    private let folder: TestFolder
    private var container: FilePath { folder["container"] }
    private var program: Program { Program(container: container) }
    private var target: FilePath { folder["backups/monday"] }
    private var copy: Program { Program(container: target) }

    init() throws {
        folder = try TestFolder()
        for name in ["one", "two", "three"] { try folder.write("in/\(name).txt", "content of \(name)") }
        #expect(try Program(container: folder["container"]).ingest(folder["in"]).status == 0)
    }

    private func backup(expecting status: Int32 = 0) throws -> Program.End {
        let end = try program.run(["backup", target.string, "--json"])
        #expect(end.status == status, "\(end.errors)")
        return end
    }

    private func list(_ program: Program) throws -> String {
        let end = try program.run(["list", "--json"])
        #expect(end.status == 0, "\(end.errors)")
        return end.output
    }

    @Test func itIsAContainer() throws {
        // A connection that stays open keeps the rows in the log.
        let open = try Container.open(at: container)
        try folder.write("late/four.txt", "content of four")
        #expect(try program.ingest(folder["late"], options: ["--no-deliver"]).status == 0)
        let sum = try #require(try backup().messages.last?.backedUp)
        #expect(sum.packages == 4 && sum.leftOut == 0)
        #expect(sum.objects == Disk.files(below: container.appending("objects")).count)
        withExtendedLifetime(open) {}
        #expect(Disk.names(in: target) == ["catalog.sqlite", "format", "objects", "run"])
        #expect(try list(copy) == list(program))
        #expect(try copy.run(["verify"]).status == 0)
        #expect(try Disk.mode(target) == 0o700)
        #expect(try Disk.mode(target.appending("catalog.sqlite")) == 0o600)
        let object = target.object(of: "content of four")
        #expect(try Disk.mode(object) == 0o444)
        // It knows what is in it, takes in more, and makes the open delivery.
        try folder.write("in/five.txt", "content of five")
        let summary = try copy.ingest(folder["in"]).summary
        #expect(summary.accepted == 1 && summary.duplicate == 3)
        #expect(try copy.run(["deliver"]).status == 0)
        #expect(try copy.run(["search", "five"]).status == 0)
        #expect(try program.run(["search", "five"]).status == 1)
    }

    @Test func anEmptyContainerHasABackup() throws {
        let empty = Program(container: folder["empty"])
        _ = try Container.open(at: folder["empty"])
        #expect(
            try empty.run(["backup", target.string]).output
                == "backed up to \(target): 0 packages in 0 objects, 0 bytes\n")
        #expect(try copy.run(["verify"]).status == 0)
    }

    /// Nothing of a person's is written over, and no container copies itself into itself.
    @Test(arguments: ["backups/monday", "container/backup", "container", "link/backup"])
    func aFolderWithContentAndTheContainerAreRefused(_ place: String) throws {
        try folder.write("backups/monday/mine.txt", "mine")
        try FileManager.default.createSymbolicLink(atPath: folder["link"].string, withDestinationPath: container.string)
        // A process that reads the catalog makes the index of its log.
        let files = {
            Disk.files(below: folder.path).filter {
                !$0.hasPrefix("container/run/") && !$0.hasPrefix("container/catalog.sqlite-")
            }
        }
        let before = files()
        let end = try program.run(["backup", folder[place].string])
        #expect(end.status == 2, "\(end.errors)")
        #expect(end.errors.contains("name a"), "\(end.errors)")
        #expect(files() == before)
    }

    /// What is forgotten during the copy is not in the backup, and what comes in is.
    @Test func itHasOneStateOfAContainerThatChanges() throws {
        let (program, folder) = (program, folder)
        let id = try #require(
            try program.run(["list", "--json"]).messages.compactMap(\.package).first {
                $0.source.path.hasSuffix("two.txt")
            }?.id)
        try folder.write("late/four.txt", "content of four")
        let changed = Mutex(false)
        let object = target.object(of: "content of two")
        let fileSystem = HookedFileSystem(beforeWriting: { path throws(FileError) in
            guard path == object,
                !changed.withLock({ old in
                    defer { old = true }; return old
                })
            else { return }
            do {
                #expect(try program.run(["forget", id]).status == 0)
                #expect(try program.ingest(folder["late"]).status == 0)
            } catch {
                Issue.record(error)
            }
        })
        let maintenance = try ContainerMaintenance(reading: container, fileSystem: fileSystem)
        let sum = try maintenance.backup(
            to: target, isStopped: { false },
            report: { event in
                if case .finding(let finding) = event { Issue.record("\(finding)") }
            })
        #expect(changed.withLock { $0 })
        #expect(sum.packages == 3 && sum.leftOut == 0)
        #expect(try list(copy) == list(program))
        #expect(try copy.run(["verify"]).status == 0)
        for file in Disk.files(below: target) {
            let bytes = try Data(contentsOf: URL(filePath: target.appending(file).string))
            #expect(bytes.range(of: Data("content of two".utf8)) == nil, "\(file)")
        }
    }

    /// The name of an object vouches for its bytes, so damaged bytes get none.
    @Test func aDamagedObjectIsLeftOut() throws {
        let object = container.object(of: "content of one")
        try FileManager.default.removeItem(atPath: object.string)
        try Data("content of 0ne".utf8).write(to: URL(filePath: object.string))
        let messages = try backup(expecting: 1).messages
        let finding = try #require(messages.compactMap(\.finding).first)
        #expect(finding.kind == .damaged && finding.packages.map(\.name) == ["one.txt"])
        #expect(messages.last?.backedUp?.leftOut == 1)
        #expect(!FileManager.default.fileExists(atPath: target.object(of: "content of one").string))
        #expect(try copy.run(["verify"]).status == 1)
    }

    /// A row may have a wrong size. The bytes match the name, so the copy is whole.
    @Test func aWrongSizeInARowIsNoReasonToFail() throws {
        try SQL.run(container, "UPDATE object SET size = size + 1 WHERE seq = (SELECT min(seq) FROM object)")
        let sum = try #require(try backup().messages.last?.backedUp)
        #expect(sum.leftOut == 0 && sum.packages == 3)
    }

    /// A person may put a file there while a long backup runs.
    @Test func afterAFailureAFileOfAPersonIsStillThere() throws {
        let mine = target.appending("mine.txt")
        let fileSystem = HookedFileSystem(beforeWriting: { [target] path throws(FileError) in
            guard path == target.appending("run/format.new") else { return }
            do { try Data("mine".utf8).write(to: URL(filePath: mine.string)) } catch { Issue.record(error) }
            throw FileError(.full, "no space")
        })
        let maintenance = try ContainerMaintenance(reading: container, fileSystem: fileSystem)
        #expect(throws: ContainerError.self) {
            try maintenance.backup(to: target, isStopped: { false }, report: { _ in })
        }
        #expect(Disk.names(in: target) == ["mine.txt"])
    }

    /// A folder without the whole backup is no container, and does not stand in the way of the next attempt.
    @Test(arguments: 1...8)
    func afterAFailureTheFolderIsEmpty(_ number: Int) throws {
        let calls = Mutex(0)
        let fileSystem = HookedFileSystem(beforeWriting: { [target] path throws(FileError) in
            guard path.starts(with: target), path != target else { return }
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            if count == number { throw FileError(.full, "no space") }
        })
        let maintenance = try ContainerMaintenance(reading: container, fileSystem: fileSystem)
        #expect(throws: ContainerError.self) {
            try maintenance.backup(to: target, isStopped: { false }, report: { _ in })
        }
        #expect(Disk.names(in: target).isEmpty)
        let stopped = Mutex(0)
        #expect(throws: CancellationError.self) {
            let isStopped = { @Sendable in
                stopped.withLock { calls in
                    calls += 1
                    return calls > number
                }
            }
            _ = try maintenance.backup(to: target, isStopped: isStopped, report: { _ in })
        }
        #expect(Disk.names(in: target).isEmpty)
        #expect(try backup().messages.last?.backedUp?.packages == 3)
    }
}
