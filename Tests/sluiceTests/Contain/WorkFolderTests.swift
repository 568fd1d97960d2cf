import SinkHost
import Testing

@testable import Files

/// The calls of a work folder go through the file system of the container.
@Suite struct WorkFolderTests {
    private struct Reached: Error {}

    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    /// The folder itself, `in` and `out` are three new names.
    @Test(arguments: 1...3) func aFullDiskIsAnErrorBeforeTheSinkStarts(place: Int) throws {
        let disk = FaultyFileSystem(FaultSchedule(.noSpace, at: place))
        #expect {
            _ = try WorkFolder(folder["work"], on: disk) { _ in throw Reached() }
        } throws: {
            ($0 as? FileError)?.code == .full
        }
    }

    @Test func aLaunchThatFailsLeavesNoFolder() throws {
        #expect(throws: Reached.self) {
            _ = try WorkFolder(folder["work"], on: SystemFileSystem()) { _ in throw Reached() }
        }
        #expect(Disk.names(in: folder.path).isEmpty)
    }
}
