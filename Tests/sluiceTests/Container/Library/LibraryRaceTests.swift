import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files

/// A person or another program writes in the library's folder during a run.
@Suite struct LibraryRaceTests {
    private let folder: TestFolder
    private var root: FilePath { folder["container"] }
    private var library: FilePath { folder["container/library"] }

    init() throws { folder = try TestFolder() }

    private func scene(canClone: Bool) throws -> LibraryScene { try LibraryScene(root, canClone: canClone) }

    /// Returns a function whose first call writes a person's file, and replaces any file of that name.
    private func writer(_ path: FilePath, _ text: String) -> @Sendable () -> Void {
        let isDone = Mutex(false)
        return {
            guard
                isDone.withLock({ done in
                    defer { done = true }
                    return !done
                })
            else { return }
            do {
                try? FileManager.default.removeItem(atPath: path.string)
                try Data(text.utf8).write(to: URL(filePath: path.string))
            } catch { Issue.record(error) }
        }
    }

    @Test(arguments: [false, true])
    func aFileThatAppearsMeanwhileStays(canClone: Bool) throws {
        let scene = try scene(canClone: canClone)
        let target = library.appending("documents/Letter.txt")
        let write = writer(target, "theirs")
        let fileSystem = HookedFileSystem(
            beforeMove: { _, to in if to == target { write() } }, beforeLink: { if $0 == target { write() } },
            canClone: canClone)
        #expect(try scene.update(rebuilding: false, fileSystem).added == 3)
        let files = try scene.files
        #expect(files["documents/Letter.txt"] == "theirs")
        #expect(files["documents/Letter (4).txt"] == "four")
        let shelf = try SQL.run(root, "SELECT path FROM shelf WHERE package = 5")
        #expect(shelf == ["documents/Letter (4).txt"], "the row follows")
        #expect(try scene.update() == LibraryReport())
        #expect(try scene.files == files)
        #expect(scene.leftovers.isEmpty)
    }

    @Test(arguments: [false, true])
    func aFileThatReplacesOursMeanwhileStays(canClone: Bool) throws {
        let scene = try scene(canClone: canClone)
        let target = library.appending("documents/Letter.txt")
        let write = writer(target, "theirs")
        let fileSystem = HookedFileSystem(
            beforeRemove: { path throws(FileError) in if path == target { write() } },
            beforeMove: { from, _ in if from == target { write() } }, canClone: canClone)
        #expect(try scene.update(rebuilding: false, fileSystem).kept == ["documents/Letter.txt"])
        let files = try scene.files
        #expect(files["documents/Letter.txt"] == "theirs")
        #expect(files["documents/Letter (4).txt"] == "four")
        #expect(scene.leftovers.isEmpty)
    }

    /// Two files take the same name during one removal, and neither is lost.
    @Test func aNameThatIsTakenTwiceMeanwhileLosesNothing() throws {
        let scene = try scene(canClone: false)
        let target = library.appending("documents/Letter.txt")
        let (first, second) = (writer(target, "first"), writer(target, "second"))
        let fileSystem = HookedFileSystem(beforeMove: { from, to in
            if from == target { first() }
            if to == target { second() }
        })
        try scene.update(rebuilding: false, fileSystem)
        let texts = try scene.files.values
        #expect(texts.contains("first") && texts.contains("second") && texts.contains("four"))
        #expect(scene.leftovers.isEmpty)
    }

    @Test func whatADeadRunPutAsideIsSettled() throws {
        let scene = try scene(canClone: false)
        let before = try scene.files
        try folder.write("container/run/library.old/Mine.txt", "precious")
        try folder.write("container/run/library.old/Notes.txt", "one")
        try scene.update()
        #expect(try scene.files["Mine.txt"] == "precious")
        #expect(try scene.files.count == before.count + 2, "Mine.txt, and the package that is new")
        #expect(scene.leftovers.isEmpty)
    }

    /// A file system that cannot rename without replacing gets links, which never replace a file.
    @Test func aFileSystemThatCannotRenameSoHasLinks() throws {
        let scene = try scene(canClone: true)
        let fileSystem = HookedFileSystem(canMoveIfFree: false, canClone: true)
        try scene.update(rebuilding: true, fileSystem)
        #expect(
            Set(try scene.files.values) == ["two", "three", "four", "five", "https://example.org/2", "mine", "changed"])
        let own = library.appending("documents/Letter.txt").string
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: own).contains("objects"))
        #expect(scene.leftovers.isEmpty)
    }

    /// A file may have replaced the library's own by the time `forget` removes it.
    @Test func aForgettingLeavesWhatReplacedItsFile() throws {
        let scene = try scene(canClone: false)
        let target = library.appending("documents/Letter (2).txt")
        let write = writer(target, "theirs")
        let fileSystem = HookedFileSystem(
            beforeRemove: { path throws(FileError) in if path == target { write() } },
            beforeMove: { from, _ in if from == target { write() } })
        let forgotten = try ContainerMaintenance(opening: root, fileSystem: fileSystem).forget(["a2"])
        #expect(forgotten.warnings.contains { $0.contains("Letter (2).txt") })
        #expect(try scene.files["documents/Letter (2).txt"] == "theirs")
        #expect(scene.leftovers.isEmpty)
    }

    /// After a crash at any moment of the removal from the library, the package can be forgotten again.
    @Test(arguments: ["library/documents", "run/library.old"])
    func aForgettingThatDiedCanBeRepeated(at place: String) throws {
        let scene = try scene(canClone: true)
        let (root, crashed) = (root, folder["crashed"])
        let moment = root.appending(place).appending("Letter (2).txt")
        let crash: @Sendable (FilePath) -> Void = { path in
            guard path == moment else { return }
            do {
                try FileManager.default.copyItem(atPath: root.string, toPath: crashed.string)
            } catch { Issue.record(error) }
        }
        let fileSystem = HookedFileSystem(
            beforeRemove: { path throws(FileError) in crash(path) }, beforeMove: { from, _ in crash(from) },
            canClone: true)
        #expect(try ContainerMaintenance(opening: root, fileSystem: fileSystem).forget(["a2"]).warnings.isEmpty)
        #expect(try !scene.files.values.contains("two"))

        let again = try ContainerMaintenance(opening: crashed, fileSystem: HookedFileSystem(canClone: true))
        #expect(try again.forget(["a2"]).packages.map(\.id) == ["a2"])
        let left = try Disk.files(below: crashed).filter {
            try Disk.bytes(crashed.appending($0)) == Array("two".utf8)
        }
        #expect(left == [])
    }
}
