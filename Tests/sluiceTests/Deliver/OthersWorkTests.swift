import ShareModel
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// The process that drives the sinks owns their folders. Another run, which has nothing to deliver, leaves them alone.
@Suite struct OthersWorkTests {
    @Test func aRunWithoutATurnTakesNoFolderAway() throws {
        let folder = try TestFolder()
        let program = Program(container: folder["container"])
        let file = try folder.write("in/words.txt", "words")
        #expect(try program.ingest(file).status == 0)
        let container = try Container.open(at: program.container)
        let driving = try container.lock(.deliver, .exclusive)
        let slot = "container/work/keep/1/in/0"
        try container.fileSystem.ensureFolders(folder[slot])
        #expect(try program.ingest(file).status == 0, "everything is delivered already")
        #expect(try container.fileSystem.exists(folder[slot]))
        withExtendedLifetime(driving) {}
    }
}
