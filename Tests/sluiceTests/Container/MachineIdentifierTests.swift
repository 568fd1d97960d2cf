import Files
import SystemPackage
import Testing

/// The random identifier of a machine is made once, and kept in a file.
@Suite struct MachineIdentifierTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func load(_ path: String) -> String? { MachineIdentifier.load(from: folder[path], .system) }

    @Test func isMadeOnce() throws {
        let first = try #require(load("state/sluice/machine"))
        #expect(load("state/sluice/machine") == first)
        #expect(load("other/machine") != first)
        #expect(Disk.names(in: folder["state/sluice"]) == ["machine"], "no temporary file is left")
    }

    @Test func aFileWithoutOneIsReplaced() throws {
        try folder.write("machine", "\n")
        let made = try #require(load("machine"))
        #expect(load("machine") == made)
    }

    @Test func thereIsNoneWhereItCannotBeKept() throws {
        try folder.write("state", "a file, and no folder")
        #expect(load("state/machine") == nil)
    }
}
